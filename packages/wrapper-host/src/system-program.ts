import { win32 } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** With its drive: a path without one means another folder on each drive. */
const withDrive = /^[a-z]:[\\/]/i

/** The folder of Windows: what the variable `SystemRoot` tells, where that is an absolute path with its drive. */
export function systemRoot({ SystemRoot }: Environment = process.env): string {
  return SystemRoot && withDrive.test(SystemRoot) ? SystemRoot : 'C:\\Windows'
}

/**
 * A program of Windows itself, by its absolute path: by its name alone it would be looked for in the working directory of the
 * launch, too.
 *
 * @param name file name, such as `taskkill.exe`
 */
export function systemProgram(name: string, environment: Environment = process.env): string {
  return win32.join(systemRoot(environment), 'System32', name)
}
