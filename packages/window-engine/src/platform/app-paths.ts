import { win32 as path } from 'node:path'
import { exportKeys } from './export-keys.ts'
import type { Environment } from './window-platform.ts'

/**
 * Where programs say in the registry of Windows that they are installed (`App Paths`).
 *
 * @param program file name, such as `msedge.exe`
 * @returns absolute paths, not checked for existence; none when the registry has none, or cannot be read
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
 * @param environment variables that a text of the type `REG_EXPAND_SZ` may name
 * @returns nothing when it is no absolute path of that program
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

/** Windows knows variables without regard to case; a copy of the environment is an object as any other. */
function variableOf(environment: Environment, name: string): string | undefined {
  const folded = name.toUpperCase()
  return Object.entries(environment).find(([known]) => known.toUpperCase() === folded)?.[1]
}
