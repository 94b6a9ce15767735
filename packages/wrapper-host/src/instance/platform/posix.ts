import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstancePlatform } from './instance-platform.ts'

/**
 * A Unix socket in a folder that only its owner may enter: the login session's runtime folder where there is one, else
 * below the folder of temporary files. Short, because a socket's path has room for about 100 bytes.
 */
export const posixPlace: InstancePlatform = {
  user: () => String(process.getuid?.() ?? ''),
  loginSession: environment => environment.XDG_SESSION_ID ?? '',
  place(name, application, _userFolder, environment) {
    const base = environment.XDG_RUNTIME_DIR ?? tmpdir()
    const privateFolder = join(base, `${application.toLowerCase()}-${process.getuid?.() ?? 0}`)
    return {
      handOffAddress: join(privateFolder, `${name}.sock`),
      lockFile: join(privateFolder, `${name}.lock`),
      privateFolder,
    }
  },
}
