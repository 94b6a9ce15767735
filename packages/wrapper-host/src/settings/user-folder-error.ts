import { accessSync, constants, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** Why the wrapper cannot write to the per-user folder. */
export type UserFolderFault = 'disk-full' | 'read-only'

/** A new browser profile needs more. */
const leastFreeMiB = 16

/** The problem and the remedy. */
const sentences: Readonly<Record<UserFolderFault, (folder: string) => readonly [string, string]>> = {
  'disk-full': folder => [
    `The disk of the per-user folder ${folder} is full.`,
    `Free at least ${leastFreeMiB} MiB, or name a folder on another disk with SERVICE_WRAPPER_DATA.`,
  ],
  'read-only': folder => [
    `This user may not write to the per-user folder ${folder}.`,
    'Give the user the right to write there, or name another folder with SERVICE_WRAPPER_DATA.',
  ],
}

/** The per-user folder cannot hold settings, log and browser profile. */
export class UserFolderError extends ServiceLinkError<'ERR_USER_FOLDER'> {
  readonly code = 'ERR_USER_FOLDER'
  readonly fault: UserFolderFault
  readonly folder: string
  /** The first sentence of the message. */
  readonly problem: string
  /** The rest of the message. */
  readonly remedy: string

  constructor(fault: UserFolderFault, folder: string) {
    const [problem, remedy] = sentences[fault](folder)
    super(`${problem} ${remedy}`)
    this.problem = problem
    this.remedy = remedy
    this.fault = fault
    this.folder = folder
  }
}

/**
 * Checks whether the per-user folder is writable, or can be made. Writes nothing.
 *
 * @returns nothing when it is, and when that is unknown
 */
export function findUserFolderFault(userFolder: string): UserFolderError | undefined {
  try {
    return findFault(userFolder, userFolder)
  } catch {
    return undefined
  }
}

function findFault(nearest: string, userFolder: string): UserFolderError | undefined {
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' && dirname(nearest) !== nearest) return findFault(dirname(nearest), userFolder)
    const isRefused = code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
    return isRefused ? new UserFolderError('read-only', userFolder) : undefined
  }
  const { bavail, bsize } = statfsSync(nearest)
  return bavail * bsize < leastFreeMiB * 1024 * 1024
    ? new UserFolderError('disk-full', userFolder)
    : undefined
}
