import { lstatSync, type Stats } from 'node:fs'

/** POSIX permissions that other users must not have: to change a file, or to use it at all. */
const forbiddenModes = { change: 0o022, use: 0o077 } as const

/** A use that other users must not have. `use` includes reading. */
type ForbiddenUse = keyof typeof forbiddenModes

/**
 * Tells whether a file or folder belongs to this user and is closed to others. Windows protects the folders of a user
 * itself: always true there.
 */
export function isThisUsersAlone(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  forbidden: ForbiddenUse = 'use',
): boolean {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & forbiddenModes[forbidden]) === 0)
}

/** Tells whether a folder exists, is no link, and only this user may enter it. */
export function isPrivateFolder(folder: string): boolean {
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false })
    return found?.isDirectory() === true && isThisUsersAlone(found)
  } catch {
    return false
  }
}
