import { win32 as path } from 'node:path'
import type { Environment } from './window-platform.ts'

/**
 * A program of Windows itself, by its absolute path: by its name alone it would be looked for in the working directory of the
 * launch, too.
 *
 * @param name file name, such as `taskkill.exe`
 */
export function systemProgram(name: string, environment: Environment = process.env): string {
  const { SystemRoot } = environment
  const root = SystemRoot && path.isAbsolute(SystemRoot) ? SystemRoot : 'C:\\Windows'
  return path.join(root, 'System32', name)
}
