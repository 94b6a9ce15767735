import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { PipeDeniedError } from '../errors/pipe-error.ts'

/** Neither through a link, nor waiting for whoever writes to a pipe. Windows knows neither. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What other users may not do with a file, as the permissions of POSIX that they may not have. */
const permissionsOf = { change: 0o022, use: 0o077 } as const

/**
 * Opens a file that a wrapper has written for this user's programs.
 *
 * @param forbidden what other users may not do with it: `use` is reading, too
 * @returns nothing when there is none
 * @throws {PipeDeniedError} when it is another user's, or other users may do that with it, or it is not a file that this user may
 *   read; on Windows only the last
 */
export async function openOwnFile(
  file: string,
  forbidden: keyof typeof permissionsOf,
): Promise<FileHandle | undefined> {
  const handle = await openUnlessMissing(file)
  if (!handle) return undefined
  try {
    assertOwn(file, await handle.stat(), forbidden)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openUnlessMissing(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new PipeDeniedError(`${file} cannot be read (${code === 'ELOOP' ? 'it is a link' : code}).`)
  }
}

function assertOwn(file: string, found: Stats, forbidden: keyof typeof permissionsOf): void {
  const user = process.getuid?.()
  if (!found.isFile()) throw new PipeDeniedError(`${file} is not a file, and is not used.`)
  if (user === undefined) return
  if (found.uid !== user) throw new PipeDeniedError(`${file} belongs to another user, and is not used.`)
  if ((found.mode & permissionsOf[forbidden]) !== 0)
    throw new PipeDeniedError(
      `${file} may be ${forbidden === 'use' ? 'used' : 'changed'} by other users, and is not used.`,
    )
}
