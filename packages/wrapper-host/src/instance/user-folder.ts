import { mkdirSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { failureReason } from '../log/failure-reason.ts'
import { InstanceAccessError } from './instance-access-error.ts'
import { PrivateFolderError } from './private-folder.ts'

/**
 * Makes the per-user folder, closed to others, where there is none that {@link checkUserFolder} lets pass.
 *
 * @throws {InstanceAccessError} as {@link checkUserFolder} does
 * @throws {PrivateFolderError} when it cannot be made, or its path cannot be followed
 */
export function ensureUserFolder(folder: string): void {
  checkUserFolder(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const problem = `cannot be made (${failureReason(error)})`
    throw new PrivateFolderError(
      folder,
      problem,
      'Make sure that this user may write to the folder above it.',
    )
  }
}

/**
 * Checks that the per-user folder is this user's, or will be. A process of root with the environment of another user is the
 * one that could make files there which their user's wrapper can then not open. Touches nothing; Windows looks after that
 * itself.
 *
 * @throws {InstanceAccessError} when the folder belongs to another user, or root would make it in another user's folder
 * @throws {PrivateFolderError} when its path cannot be followed: a circle of links, a name that is too long, a disk that fails
 */
export function checkUserFolder(folder: string): void {
  const user = process.getuid?.()
  if (user === undefined) return
  const found = find(folder)
  const owner = (found ?? findAbove(folder)).uid
  if (owner === user) return
  if (user === 0) throw new InstanceAccessError('elevated-process')
  if (found) throw new InstanceAccessError('foreign-folder')
}

/** The nearest folder above that there is. */
function findAbove(folder: string): Stats {
  const parent = dirname(folder)
  return find(parent) ?? (parent === folder ? statSync(parent) : findAbove(parent))
}

function find(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // A file where a folder should be is the matter of whoever makes the folder.
    if (code === 'ENOTDIR') return undefined
    if (code === 'EACCES') throw new InstanceAccessError('foreign-folder')
    throw new PrivateFolderError(
      folder,
      `cannot be looked at (${failureReason(error)})`,
      'Correct its path, or what lies there.',
    )
  }
}
