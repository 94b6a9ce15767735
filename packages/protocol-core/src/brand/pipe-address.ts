import type { Brand } from './define-brand.ts'

/** The pipe's name without an operating system's decoration: `servicepipe.<pid>` (specification 4.5). */
export function pipeName(brand: Brand, pid: number): string {
  return `${brand.pipePrefix}.${pid}`
}

/**
 * Where a wrapper's pipe is opened: `\\.\pipe\servicepipe.<pid>` on Windows; elsewhere the Unix socket that .NET's
 * `NamedPipeClientStream(".", "servicepipe.<pid>")` opens (design: pipe protocol).
 *
 * @param platform Node's `process.platform`
 * @param folder folder in which Unix sockets lie, see {@link unixPipeFolder}; not used on Windows
 */
export function pipeAddress(brand: Brand, pid: number, platform: string, folder: string): string {
  if (platform === 'win32') return `\\\\.\\pipe\\${pipeName(brand, pid)}`
  return `${folder.replace(/\/+$/, '')}/${unixPipePrefix}${pipeName(brand, pid)}`
}

/** What .NET puts before the name of a pipe on Linux and macOS. */
export const unixPipePrefix = 'CoreFxPipe_'

/**
 * Reads the process id out of a pipe's or socket's file name.
 *
 * @returns the process id, or `undefined` when the name is not of this brand's pipe
 */
export function pidOfPipe(brand: Brand, fileName: string): number | undefined {
  const name = fileName.startsWith(unixPipePrefix) ? fileName.slice(unixPipePrefix.length) : fileName
  const prefix = `${brand.pipePrefix}.`
  if (!name.startsWith(prefix)) return undefined
  const digits = name.slice(prefix.length)
  return /^[1-9][0-9]{0,9}$/.test(digits) ? Number(digits) : undefined
}

/**
 * Folder in which .NET puts its pipes on Linux and macOS: `TMPDIR`, else `/tmp`. (Node's `os.tmpdir()` also looks at `TMP`
 * and `TEMP`, which .NET does not.)
 */
export function unixPipeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return environment.TMPDIR || '/tmp'
}
