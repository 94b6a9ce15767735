import { lstat, mkdir } from 'node:fs/promises'
import { isThisUsersAlone } from '../instance/private-folder.ts'
import { failureReason } from '../log/failure-reason.ts'
import { TrayError } from './tray-error.ts'

/**
 * Makes a folder that only its owner may enter, or checks that the one that is there is such a folder: a program is run
 * from it.
 *
 * @param folder absolute path
 * @returns the folder
 * @throws {TrayError} `no-folder` when it cannot be made, is a link or a file, belongs to another user, or is open to others
 */
export async function privateFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const found = await lstat(folder)
    if (found.isDirectory() && isThisUsersAlone(found)) return folder
  } catch (error) {
    throw new TrayError(
      'no-folder',
      `The folder for the program that shows the icon cannot be made (${failureReason(error)}).`,
    )
  }
  throw new TrayError(
    'no-folder',
    'The folder for the program that shows the icon is not this user’s alone. Remove it.',
  )
}
