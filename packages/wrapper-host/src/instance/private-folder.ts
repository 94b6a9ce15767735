import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { failureReason } from '../log/failure-reason.ts'

/** The folder of hand-off socket and lock is not ours alone, so nothing in it can be trusted; or it cannot hold the two. */
export class PrivateFolderError extends ServiceLinkError<'ERR_PRIVATE_FOLDER'> {
  readonly code = 'ERR_PRIVATE_FOLDER'
  readonly folder: string

  constructor(
    folder: string,
    problem: string,
    remedy = 'Remove it, or set SERVICE_WRAPPER_DATA to a folder of your own.',
  ) {
    super(`The folder ${folder} ${problem}. ${remedy}`)
    this.folder = folder
  }
}

/**
 * Makes a folder that only its owner may enter, or checks that the one that is there is such a folder.
 *
 * @param folder in one that is this user's, see `ensureUserFolder`
 * @throws {PrivateFolderError} when it cannot be made, and as {@link checkPrivateFolder} does
 */
export function ensurePrivateFolder(folder: string): void {
  try {
    // What is there then counts: another process may have been quicker.
    if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unusable(folder, `cannot be made (${failureReason(error)})`)
  }
  checkPrivateFolder(folder)
}

/**
 * Checks that a folder is one that only its owner may enter, and its owner this user.
 *
 * @returns whether there is one
 * @throws {PrivateFolderError} when it is a link or a file, belongs to another user, is open to others, or cannot be looked at
 */
export function checkPrivateFolder(folder: string): boolean {
  const found = statusOf(folder)
  if (!found) return false
  if (!found.isDirectory()) throw new PrivateFolderError(folder, 'is not a folder')
  if (!isThisUsersAlone(found))
    throw new PrivateFolderError(
      folder,
      found.uid === process.getuid?.() ? 'can be entered by other users' : 'belongs to another user',
    )
  return true
}

/** Whether a file or folder, as `lstat` tells it, is this user's and closed to all others. Windows looks after that itself: always. */
export function isThisUsersAlone({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & 0o077) === 0)
}

function statusOf(folder: string): Stats | undefined {
  try {
    return lstatSync(folder, { throwIfNoEntry: false })
  } catch (error) {
    // A file or a closed folder above it: making the folder reports that.
    if (['ENOTDIR', 'EACCES'].includes(failureReason(error))) return undefined
    throw unusable(folder, `cannot be looked at (${failureReason(error)})`)
  }
}

function unusable(folder: string, problem: string): PrivateFolderError {
  return new PrivateFolderError(folder, problem, 'Set SERVICE_WRAPPER_DATA to a folder of your own.')
}

/** A file of the instance that cannot be made or used, as the fault of its folder. */
export function instanceFileError(file: string, purpose: string, error: unknown): PrivateFolderError {
  return new PrivateFolderError(
    dirname(file),
    `cannot hold ${purpose} ${basename(file)} (${failureReason(error)})`,
    'Remove that file, and make sure that this user may write to the folder.',
  )
}
