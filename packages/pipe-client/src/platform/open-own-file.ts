import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, open } from 'node:fs/promises'
import { parse, resolve } from 'node:path'
import { wait } from '../connection/wait.ts'
import { PipeDeniedError } from '../errors/pipe-error.ts'

/** Not through a link, and without waiting for the writer of a named pipe. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What passes: a virus scanner or a backup has the file, it is being replaced, or this process has too many open. */
const passingCodes = new Set(['EBUSY', 'EPERM', 'EMFILE', 'ENFILE'])

/** Longest wait for that to pass, and the pause between two attempts, in milliseconds. */
const passingMs = 1_000
const pauseMs = 50

/** What other users may not do with a file, as the permissions of POSIX that they may not have. */
const permissionsOf = { change: 0o022, use: 0o077 } as const

/**
 * Opens a file that a wrapper has written for this user's programs.
 *
 * @param forbidden what other users may not do with it: `use` is reading, too
 * @returns nothing when there is none
 * @throws {PipeDeniedError} when it is another user's, or other users may do that with it, or it is not a file that this user may
 *   read, also after a second; on Windows only the last, and when the drive or share that it is to be on is not there
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
  const startedAt = performance.now()
  for (;;) {
    try {
      return await open(file, flags)
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        await assertDrive(file)
        return undefined
      }
      if (!passingCodes.has(code) || performance.now() - startedAt >= passingMs)
        throw new PipeDeniedError(`${file} cannot be read (${code === 'ELOOP' ? 'it is a link' : code}).`)
    }
    await wait(pauseMs, undefined)
  }
}

/** That a drive or share cannot be reached does not tell that the file is missing. One whose root nobody may look at is there. */
async function assertDrive(file: string): Promise<void> {
  const { root } = parse(resolve(file))
  try {
    await access(root)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') return
    throw new PipeDeniedError(`${file} cannot be read: ${root} is not there.`)
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
