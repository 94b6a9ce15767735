import { win32 } from 'node:path'

/** With its drive: a path without one means another folder on each drive. */
const withDrive = /^[a-z]:[\\/]/i

/**
 * A program of Windows itself, by its absolute path: by its name alone, or below a folder that is not absolute, it would be looked for
 * in the working directory, too.
 *
 * @param name file name, such as `reg.exe`
 */
export function systemProgram(
  name: string,
  { SystemRoot }: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const root = SystemRoot && withDrive.test(SystemRoot) ? SystemRoot : 'C:\\Windows'
  return win32.join(root, 'System32', name)
}
