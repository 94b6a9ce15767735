import { posix, win32 } from 'node:path'

/**
 * Whether two paths name one folder, as far as their text tells: Windows takes either slash, one at the end, and no account of case.
 *
 * @param platform as Node names it
 */
export function isSameFolder(one: string, other: string, platform: NodeJS.Platform): boolean {
  const written =
    platform === 'win32'
      ? (path: string) => win32.resolve(path).toLowerCase()
      : (path: string) => posix.resolve(path)
  return written(one) === written(other)
}
