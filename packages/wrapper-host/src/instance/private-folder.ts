import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { failureReason } from '../failure-reason.ts'
import { InstanceAccessError } from './instance-access-error.ts'

/** The folder of hand-off socket and lock is not ours alone, so nothing in it can be trusted; or it cannot hold the two. */
export class PrivateFolderError extends ServiceLinkError<'ERR_PRIVATE_FOLDER'> {
  readonly code = 'ERR_PRIVATE_FOLDER'
  readonly folder: string

  constructor(
    folder: string,
    problem: string,
    remedy = 'Remove it, or set XDG_RUNTIME_DIR to a folder of your own.',
  ) {
    super(`The folder ${folder} ${problem}. ${remedy}`)
    this.folder = folder
  }
}

/**
 * Makes a folder that only its owner may enter, or checks that the one that is there is such a folder.
 *
 * @throws {PrivateFolderError} when it cannot be made, is a link or a file, belongs to another user, or is open to others
 * @throws {InstanceAccessError} when root would make it in another user's folder
 */
export function ensurePrivateFolder(folder: string): void {
  const found = findOrMakeFolder(folder)
  if (!found.isDirectory()) throw new PrivateFolderError(folder, 'is not a folder')
  if (!isThisUsersAlone(found))
    throw new PrivateFolderError(
      folder,
      found.uid === process.getuid?.() ? 'can be entered by other users' : 'belongs to another user',
    )
}

/** Whether a file or folder, as `lstat` tells it, is this user's and closed to all others. Windows looks after that itself: always. */
export function isThisUsersAlone({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & 0o077) === 0)
}

function findOrMakeFolder(folder: string) {
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false })
    if (found) return found
    if (process.getuid?.() === 0 && statSync(dirname(folder), { throwIfNoEntry: false })?.uid)
      throw new InstanceAccessError('elevated-process')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // What is there now counts: another process may have been quicker.
    return lstatSync(folder)
  } catch (error) {
    if (error instanceof InstanceAccessError) throw error
    const problem = `cannot be made (${failureReason(error)})`
    throw new PrivateFolderError(folder, problem, 'Set XDG_RUNTIME_DIR to a folder of your own.')
  }
}

/** A file of the instance that cannot be made or used, as the fault of its folder. */
export function instanceFileError(file: string, purpose: string, error: unknown): PrivateFolderError {
  return new PrivateFolderError(
    dirname(file),
    `cannot hold ${purpose} ${basename(file)} (${failureReason(error)})`,
    'Remove that file, and make sure that this user may write to the folder.',
  )
}
