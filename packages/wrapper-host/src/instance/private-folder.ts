import { lstatSync, mkdirSync } from 'node:fs'
import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** The folder of the hand-off socket is not ours alone, so nothing in it can be trusted; or it cannot hold a socket. */
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
 * @throws {PrivateFolderError} when it is a link or a file, belongs to another user, or is open to others
 */
export function ensurePrivateFolder(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false }) ?? makeFolder(folder)
  if (!found.isDirectory()) throw new PrivateFolderError(folder, 'is not a folder')
  if (process.getuid && found.uid !== process.getuid())
    throw new PrivateFolderError(folder, 'belongs to another user')
  if (process.getuid && (found.mode & 0o077) !== 0)
    throw new PrivateFolderError(folder, 'can be entered by other users')
}

/** What is found afterwards counts: another process may have been quicker. */
function makeFolder(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return lstatSync(folder)
}
