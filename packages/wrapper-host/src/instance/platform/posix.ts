import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loginDisplay } from '@service-link/protocol-core/brand'
import { isThisUsersAlone, PrivateFolderError } from '../private-folder.ts'
import type { InstancePlatform } from './instance-platform.ts'

/** Longest path of a Unix socket in bytes, on macOS; Linux has room for four more. */
const maxSocketPathBytes = 103

/** Hexadecimal digits of the instance's name that a file is called by: enough to tell the wrappers of one user apart. */
const nameDigits = 12

/**
 * A Unix socket in a folder that only its owner may enter: the login session's runtime folder where there is one, else
 * below the folder of temporary files. All brands share the folder, and its name is short: on macOS the path of the folder
 * of temporary files takes half of the room that a socket's path has.
 */
export const posixPlace: InstancePlatform = {
  user: () => String(process.getuid?.() ?? ''),
  // On macOS a user has one session, and a display only where an X server is installed.
  loginSession: environment => (process.platform === 'darwin' ? '' : loginDisplay(environment)),
  isElevated: () => process.geteuid?.() === 0,
  place(name, _application, _userFolder, environment) {
    const base = environment.XDG_RUNTIME_DIR || usualRuntimeFolder() || tmpdir()
    const privateFolder = join(base, `webwrapper-${process.getuid?.() ?? 0}`)
    const file = join(privateFolder, name.slice(0, nameDigits))
    const handOffAddress = `${file}.sock`
    const addressBytes = Buffer.byteLength(handOffAddress)
    if (addressBytes > maxSocketPathBytes)
      throw new PrivateFolderError(
        privateFolder,
        `makes the path of a socket ${addressBytes} bytes long, and there is room for ${maxSocketPathBytes}`,
        'Set XDG_RUNTIME_DIR to a folder with a shorter path.',
      )
    return { handOffAddress, lockFile: `${file}.lock`, privateFolder }
  },
}

/**
 * The runtime folder of a Linux session where the variable that names it got lost, as by `su`, `cron` and services: so that they
 * find the wrapper of a session that has it.
 *
 * @param folder default: that of this user
 * @returns nothing when it is not there, or is not a folder of this user's alone
 */
export function usualRuntimeFolder(folder = `/run/user/${process.getuid?.() ?? 0}`): string | undefined {
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false })
    return found?.isDirectory() && isThisUsersAlone(found) ? folder : undefined
  } catch {
    return undefined
  }
}
