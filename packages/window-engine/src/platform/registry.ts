import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { win32 as path } from 'node:path'
import { promisify } from 'node:util'
import { systemProgram } from '@service-link/protocol-core/brand'
import type { Environment } from './window-platform.ts'

/** Longest wait for one run of `reg.exe`, in milliseconds. */
const registryTimeoutMs = 10_000

/** The machine's hive, which only administrators can change, has priority over the user's. */
const hives = ['HKLM', 'HKCU'] as const

/** A key of the registry. */
interface ExportedKey {
  /** Name with the hive: `HKLM\\Software\\…`. */
  readonly name: string
  readonly lines: readonly string[]
}

/**
 * Reads a key of the registry for the machine and for this user. It uses `reg export`: `reg query` prints in a code page that Node
 * does not read, and a folder may have a person's name.
 *
 * @param key below the hive
 * @returns name and lines of each existing key, without the keys below it, the machine's first; none if the registry cannot be
 *   read, such as when administrators have disabled its tools
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
  // A backslash at the end continues a line. A text ends with its quote.
  const lines = text.replaceAll(/\\\r?\n\s*/g, '').split(/\r?\n/)
  const isKey = (line: string) => line.startsWith('[')
  const first = lines.findIndex(isKey) + 1
  const next = lines.findIndex((line, index) => index >= first && isKey(line))
  return lines.slice(first, next < 0 ? undefined : next)
}

/**
 * Reads the places of a program from the registry of Windows (`App Paths`).
 *
 * @param program file name, such as `msedge.exe`
 * @returns absolute paths, which may not exist; none if the registry has none or cannot be read
 */
export async function readAppPaths(program: string, environment: Environment): Promise<readonly string[]> {
  const key = `Software\\Microsoft\\Windows\\CurrentVersion\\App Paths\\${program}`
  const exported = await exportKeys(key, environment)
  return exported
    .map(({ lines }) => readAppPath(lines, program, environment))
    .filter(executable => executable !== undefined)
}

/**
 * Reads the unnamed value of one key.
 *
 * @param lines of the key, as `reg export` writes them
 * @param environment variables for texts of the type `REG_EXPAND_SZ`
 * @returns an absolute path of that program, or `undefined`
 */
export function readAppPath(
  lines: readonly string[],
  program: string,
  environment: Environment,
): string | undefined {
  const written = lines.find(line => line.startsWith('@='))
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

/** Finds a variable in any case, as Windows does. */
function variableOf(environment: Environment, name: string): string | undefined {
  const folded = name.toUpperCase()
  return Object.entries(environment).find(([known]) => known.toUpperCase() === folded)?.[1]
}
