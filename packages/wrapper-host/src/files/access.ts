import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { isThisUsers, isThisUsersAlone } from '@service-link/pipe-client/running'
import { defineError } from '@service-link/protocol-core/errors'
import { failureReason } from '../log/failure-reason.ts'

/** Owner and permissions of a file or folder, as of `lstat`. */
interface FileAccess {
  readonly uid: number | bigint
  readonly mode: number | bigint
}

/**
 * Finds out why a file cannot be trusted: a user other than this one and root owns it, may change it or may read it. Finds nothing
 * on Windows, where access lists decide, which Node does not read.
 *
 * @param isPrivate whether reading by others is a problem too
 * @param user this process's user; undefined on Windows
 * @returns a clause such as `belongs to another user`
 */
export function accessProblem(
  { uid, mode }: FileAccess,
  isPrivate: boolean,
  user: number | undefined = process.getuid?.(),
): string | undefined {
  if (user === undefined) return undefined
  if (Number(uid) !== 0 && Number(uid) !== user) return 'belongs to another user'
  const permissions = Number(mode) & 0o077
  if ((permissions & 0o022) !== 0) return 'may be changed by other users (chmod go-w)'
  if (isPrivate && permissions !== 0) return 'may be read by other users (chmod go-rwx)'
  return undefined
}

/** End of a remedy. */
export const elsewhere = 'Unless the wrapper is packed, SERVICE_WRAPPER_DATA can name another folder.'

/**
 * The folder of record, socket and lock is not private to this user, or cannot hold them.
 *
 * @remedy Remove the folder, or give it to this user alone, as the message says.
 * @retry after the repair
 * @seenBy administrator
 */
export class PrivateFolderError extends defineError(
  'ERR_PRIVATE_FOLDER',
  (folder: string, problem: string, remedy: string = `Remove it. ${elsewhere}`) => ({
    message: `The folder ${folder} ${problem}. ${remedy}`,
    folder,
  }),
) {}

/** Why this process cannot reach the user's wrapper. */
export type InstanceAccessFault =
  /** The wrapper has administrator rights, and takes no launch of a process without them. */
  | 'elevated-wrapper'
  /** This process has administrator rights, and the folders belong to another user. */
  | 'elevated-process'
  /** The per-user folder belongs to another user. */
  | 'foreign-folder'

const accessSentences: Readonly<Record<InstanceAccessFault, string>> = {
  'elevated-wrapper':
    'A wrapper of this user runs with administrator rights, and takes no launch of a process without them. Close it, and start it without.',
  'elevated-process':
    'This process has administrator rights, and the folders are another user’s, whose wrapper could then not start. Start it as that user.',
  'foreign-folder':
    'The per-user folder belongs to another user, perhaps since a start as administrator. Give it to this user, or remove it.',
}

/**
 * This process cannot reach the user's wrapper or its folders. Nothing was made.
 *
 * @remedy Start wrapper and program both with or both without administrator rights, as the same user. Give the per-user folder
 * to this user.
 * @retry no
 * @seenBy administrator, user
 */
export class InstanceAccessError extends defineError('ERR_INSTANCE_ACCESS', (fault: InstanceAccessFault) => ({
  message: accessSentences[fault],
  fault,
})) {}

/** Makes a folder that only its owner may enter, or checks that the present one is such a folder. */
export function ensurePrivateFolder(folder: string): void {
  if (checkPrivateFolder(folder)) return
  makeFolder(folder)
  // Another process may have made it meanwhile.
  checkPrivateFolder(folder)
}

/** Checks that only this user may enter a folder. Returns whether the folder exists. */
export function checkPrivateFolder(folder: string): boolean {
  // A closed folder is above it: making the folder reports that.
  const found = find(folder, lstatSync, () => undefined)
  if (!found) return false
  if (!found.isDirectory()) throw new PrivateFolderError(folder, 'is not a folder')
  if (!isThisUsersAlone(found))
    throw new PrivateFolderError(
      folder,
      isThisUsers(found) ? 'can be entered by other users' : 'belongs to another user',
    )
  return true
}

/** The error for a file of the instance that cannot be made or used. */
export function instanceFileError(file: string, purpose: string, error: unknown): PrivateFolderError {
  return new PrivateFolderError(
    dirname(file),
    `cannot hold ${purpose} ${basename(file)} (${failureReason(error)})`,
    'Remove that file, and make sure that this user may write to the folder.',
  )
}

/** Makes the per-user folder, closed to others, if {@link checkUserFolder} finds none. */
export function ensureUserFolder(folder: string): void {
  checkUserFolder(folder)
  makeFolder(folder)
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const remedy = `Make sure that this user may write to the folder above it. ${elsewhere}`
    throw new PrivateFolderError(folder, `cannot be made (${failureReason(error)})`, remedy)
  }
}

/**
 * Checks that the per-user folder belongs to this user, or will when it is made. Root in the environment of another user could
 * make files there that the user's wrapper cannot open. Changes nothing. On Windows the system protects the folder.
 */
export function checkUserFolder(folder: string): void {
  const user = process.getuid?.()
  if (user === undefined) return
  const found = findShared(folder)
  const owner = (found ?? findAbove(folder)).uid
  if (owner === user) return
  if (user === 0) throw new InstanceAccessError('elevated-process')
  if (found) throw new InstanceAccessError('foreign-folder')
}

function findAbove(folder: string): Stats {
  const parent = dirname(folder)
  return findShared(parent) ?? (parent === folder ? statSync(parent) : findAbove(parent))
}

function findShared(folder: string): Stats | undefined {
  return find(folder, statSync, () => {
    throw new InstanceAccessError('foreign-folder')
  })
}

/** @param onClosed is called if this user may not enter a folder above */
function find(
  folder: string,
  look: typeof lstatSync | typeof statSync,
  onClosed: () => undefined,
): Stats | undefined {
  try {
    return look(folder, { throwIfNoEntry: false })
  } catch (error) {
    const reason = failureReason(error)
    // A file has the place of a folder. Making the folder reports that.
    if (reason === 'ENOTDIR') return undefined
    if (reason === 'EACCES') return onClosed()
    const problem = `cannot be looked at (${reason})`
    throw new PrivateFolderError(folder, problem, 'Correct its path, or what lies there.')
  }
}

/** Why the wrapper cannot write to the per-user folder. */
export type UserFolderFault = 'disk-full' | 'read-only'

/** A new browser profile needs more than this. */
const leastFreeMiB = 16

const folderSentences: Readonly<Record<UserFolderFault, (folder: string) => readonly [string, string]>> = {
  'disk-full': folder => [
    `The disk of the per-user folder ${folder} is full.`,
    `Free at least ${leastFreeMiB} MiB. ${elsewhere}`,
  ],
  'read-only': folder => [
    `This user may not write to the per-user folder ${folder}.`,
    `Give the user the right to write there. ${elsewhere}`,
  ],
}

/**
 * The per-user folder cannot hold settings, log and browser profile.
 *
 * @remedy Free space on the disk, or give the user the right to write to the folder that the message names.
 * @retry after the repair
 * @seenBy administrator, user
 */
export class UserFolderError extends defineError(
  'ERR_USER_FOLDER',
  (fault: UserFolderFault, folder: string) => {
    const [problem, remedy] = folderSentences[fault](folder)
    return {
      message: `${problem} ${remedy}`,
      fault,
      folder,
      /** The first sentence of the message. */
      problem,
      /** The rest of the message. */
      remedy,
    }
  },
) {}

/**
 * Checks whether the per-user folder is writable, or can be made. Writes nothing. Returns nothing when it is, or when the check
 * fails.
 */
export function findUserFolderFault(userFolder: string): UserFolderError | undefined {
  try {
    let nearest = userFolder
    while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(nearest)
    const hasRoom = bavail * bsize >= leastFreeMiB * 1024 * 1024
    return hasRoom ? undefined : new UserFolderError('disk-full', userFolder)
  } catch (error) {
    const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(failureReason(error))
    return isRefused ? new UserFolderError('read-only', userFolder) : undefined
  }
}

/** Removes the socket of an earlier process of this user. Returns false if something else has the address. */
export function removeLeftover(address: string): boolean {
  try {
    const found = lstatSync(address)
    if (!found.isSocket() || !isThisUsers(found)) return false
    rmSync(address, { force: true })
  } catch {
    // Nothing is there, or listening tells why it cannot be looked at.
  }
  return true
}

/** Codes of an address that another process listens at. Windows gives the second for a pipe that anybody may extend. */
const inUseCodes: ReadonlySet<string> = new Set(['EADDRINUSE', 'EBUSY'])

/** Tells whether listening failed because something else has the address. */
export function isInUse(error: unknown): boolean {
  return inUseCodes.has(failureReason(error))
}
