import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { InstancePlatform } from './instance-platform.ts'

/** A named pipe; the lock lies in the per-user folder, which Windows keeps from other users. */
export const windowsPlace: InstancePlatform = {
  user: () => `${process.env.USERDOMAIN ?? ''}\\${userInfo().username}`,
  loginSession: environment => environment.SESSIONNAME ?? '',
  place(name, application, userFolder) {
    return {
      handOffAddress: `\\\\.\\pipe\\${application}.${name}`,
      lockFile: join(userFolder, `${name}.lock`),
      privateFolder: undefined,
    }
  },
}
