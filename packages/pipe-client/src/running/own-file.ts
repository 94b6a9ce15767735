import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'

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
  return !process.getuid || (isThisUsers({ uid }) && (mode & forbiddenModes[forbidden]) === 0)
}

/** Tells whether a file, socket or folder belongs to this user. On Windows, which tells no owner: always false. */
export function isThisUsers({ uid }: Pick<Stats, 'uid'>): boolean {
  return uid === process.getuid?.()
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

/** Follows no link, and does not wait for the writer of a named pipe. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Reads the beginning of a file that is this user's alone. */
export function readOwnFile(file: string, maxBytes: number, forbidden: ForbiddenUse): string {
  const handle = openSync(file, flags)
  try {
    const found = fstatSync(handle)
    if (!found.isFile()) throw new Error('is not a file')
    if (!isThisUsersAlone(found, forbidden))
      throw new Error('belongs to another user, or may be changed by other users')
    const bytes = new Uint8Array(maxBytes)
    return new TextDecoder().decode(bytes.subarray(0, readSync(handle, bytes)))
  } finally {
    closeSync(handle)
  }
}
