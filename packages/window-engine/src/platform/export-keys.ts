import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { win32 as path } from 'node:path'
import { promisify } from 'node:util'
import { systemProgram } from './system-program.ts'
import type { Environment } from './window-platform.ts'

/** Longest wait for one run of `reg.exe`, in milliseconds; it takes a few dozen. */
const registryTimeoutMs = 10_000

/** What is set for all users, which administrators alone can change, before what is for this one. */
const hives = ['HKLM', 'HKCU'] as const

/** A key of the registry as it was found. */
export interface ExportedKey {
  /** With its hive: `HKLM\\Software\\…`. */
  readonly name: string
  readonly lines: readonly string[]
}

/**
 * Reads a key of the registry for the machine and for this user. It is exported to a file, since what `reg query` prints is in a
 * code page that Node does not read, and a folder can have a person's name.
 *
 * @param key below the hive
 * @returns name and lines of each that is there, without those of the keys below it, the machine's first; none when the registry
 *   cannot be read, as where administrators have switched tools for it off
 */
export async function exportKeys(key: string, environment: Environment): Promise<readonly ExportedKey[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-link-')).catch(() => undefined)
  if (folder === undefined) return []
  try {
    const found: ExportedKey[] = []
    for (const hive of hives) {
      const file = path.join(folder, `${hive}.reg`)
      const name = `${hive}\\${key}`
      const text = await exportKey(name, file, environment)
      if (text !== undefined) found.push({ name, lines: linesOfKey(text) })
    }
    return found
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

async function exportKey(key: string, file: string, environment: Environment): Promise<string | undefined> {
  const options = { windowsHide: true, timeout: registryTimeoutMs }
  try {
    await promisify(execFile)(systemProgram('reg.exe', environment), ['export', key, file, '/y'], options)
    return await readFile(file, 'utf16le')
  } catch {
    return undefined
  }
}

/** The lines of the first key in what `reg export` writes. */
export function linesOfKey(text: string): readonly string[] {
  // A line that goes on ends in a backslash; a text cannot, since its quote comes last.
  const lines = text.replaceAll(/\\\r?\n\s*/g, '').split(/\r?\n/)
  const isKey = (line: string) => line.startsWith('[')
  const first = lines.findIndex(isKey) + 1
  const next = lines.findIndex((line, index) => index >= first && isKey(line))
  return lines.slice(first, next < 0 ? undefined : next)
}
