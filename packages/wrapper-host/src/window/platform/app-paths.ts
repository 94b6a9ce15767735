import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { win32 as path } from 'node:path'
import { promisify } from 'node:util'
import { systemProgram } from './system-program.ts'
import type { Environment } from './window-platform.ts'

/** Longest wait for one run of `reg.exe`, in milliseconds; it takes a few dozen. */
const registryTimeoutMs = 10_000

/** What is installed for all users, which administrators alone can change, before what is for this one. */
const hives = ['HKLM', 'HKCU'] as const

/**
 * Where programs say in the registry of Windows that they are installed (`App Paths`). The key is exported to a file, since what
 * `reg query` prints is in a code page that Node does not read, and a folder can have a person's name.
 *
 * @param program file name, such as `msedge.exe`
 * @returns absolute paths, not checked for existence; none when the registry has none, or cannot be read
 */
export async function readAppPaths(program: string, environment: Environment): Promise<readonly string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-link-')).catch(() => undefined)
  if (folder === undefined) return []
  try {
    const found: string[] = []
    for (const hive of hives) {
      const key = `${hive}\\Software\\Microsoft\\Windows\\CurrentVersion\\App Paths\\${program}`
      const text = await exportKey(key, path.join(folder, `${hive}.reg`), environment)
      const file = text === undefined ? undefined : readAppPath(text, program, environment)
      if (file !== undefined) found.push(file)
    }
    return found
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

/** Nothing when the key is not there, or administrators have switched tools for the registry off. */
async function exportKey(key: string, file: string, environment: Environment): Promise<string | undefined> {
  const options = { windowsHide: true, timeout: registryTimeoutMs }
  try {
    await promisify(execFile)(systemProgram('reg.exe', environment), ['export', key, file, '/y'], options)
    return await readFile(file, 'utf16le')
  } catch {
    return undefined
  }
}

/**
 * Reads the unnamed value out of what `reg export` writes about one key.
 *
 * @param environment variables that a text of the type `REG_EXPAND_SZ` may name
 * @returns nothing when it is no absolute path of that program
 */
export function readAppPath(text: string, program: string, environment: Environment): string | undefined {
  // A line that goes on ends in a backslash; a text cannot, since its quote comes last.
  const lines = text.replaceAll(/\\\r?\n\s*/g, '').split(/\r?\n/)
  const isKey = (line: string) => line.startsWith('[')
  const first = lines.findIndex(isKey) + 1
  const next = lines.findIndex((line, index) => index >= first && isKey(line))
  const written = lines.slice(first, next < 0 ? undefined : next).find(line => line.startsWith('@='))
  const file = readText(written?.slice(2) ?? '', environment)?.replace(/^"(.*)"$/, '$1')
  if (!file || !path.isAbsolute(file)) return undefined
  return path.basename(file).toLowerCase() === program.toLowerCase() ? path.normalize(file) : undefined
}

function readText(written: string, environment: Environment): string | undefined {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(written) ?? []
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1')
  const [, bytes] = /^hex\(2\):([\da-f,]*)$/i.exec(written) ?? []
  if (bytes === undefined) return undefined
  const text = Buffer.from(bytes.replaceAll(',', ''), 'hex').toString('utf16le').replace(/\0+$/, '')
  return text.replaceAll(/%([^%]+)%/g, (whole, name: string) => variableOf(environment, name) ?? whole)
}

/** Windows knows variables without regard to case; a copy of the environment is an object as any other. */
function variableOf(environment: Environment, name: string): string | undefined {
  const folded = name.toUpperCase()
  return Object.entries(environment).find(([known]) => known.toUpperCase() === folded)?.[1]
}
