import { win32 } from 'node:path'
import type { Environment } from './window-platform.ts'

/**
 * The absolute path of a program of Windows. By its name alone Windows would look for it in the working directory, too.
 *
 * @param name file name, such as `taskkill.exe`
 */
export function systemProgram(name: string, { SystemRoot }: Environment = process.env): string {
  const hasDrive = SystemRoot !== undefined && /^[a-z]:[\\/]/i.test(SystemRoot)
  return win32.join(hasDrive ? SystemRoot : 'C:\\Windows', 'System32', name)
}
