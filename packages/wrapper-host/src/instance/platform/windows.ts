import { readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { systemRoot } from '../../system-program.ts'
import type { InstancePlatform } from './instance-platform.ts'

/** On a terminal server the folder of temporary files ends in the number of the login session. */
const sessionFolder = /[\\/](\d+)[\\/]?$/

/**
 * A named pipe. All users of a machine share their names, and whoever comes first sits there: so its name is random, and known by a
 * file. File and lock lie in the per-user folder, which Windows keeps from other users.
 */
export const windowsPlace: InstancePlatform = {
  user() {
    // Two domains may have a user of this name. Which one it is the variable USERDOMAIN says, which not every program passes on; the
    // folder of the profile, which Windows is asked for, differs too.
    const { homedir, username } = userInfo()
    return JSON.stringify([homedir, username])
  },
  // Not SESSIONNAME: it changes when a session is connected to again, and another session can then have the old one.
  loginSession: environment => sessionFolder.exec(environment.TEMP ?? '')?.[1] ?? '',
  isElevated: () => mayReadSystemConfiguration(systemRoot()),
  place(name, application, userFolder) {
    return {
      handOffAddress: `\\\\.\\pipe\\${application}.`,
      addressFile: join(userFolder, `${name}.address`),
      lockFile: join(userFolder, `${name}.lock`),
      privateFolder: undefined,
    }
  },
}

/** That folder is the administrators' alone; to ask Windows itself would take a process. */
function mayReadSystemConfiguration(root: string): boolean {
  try {
    readdirSync(join(root, 'System32', 'config'))
    return true
  } catch {
    return false
  }
}
