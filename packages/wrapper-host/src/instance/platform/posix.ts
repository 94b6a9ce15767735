import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loginDisplay } from '@service-link/protocol-core/brand'
import type { InstancePlatform } from './instance-platform.ts'

/** Longest path of a Unix socket in bytes, on macOS; Linux has room for four more. */
const maxSocketPathBytes = 103

/** Hexadecimal digits of the instance's name that a file is called by: enough to tell the wrappers of one user apart. */
const nameDigits = 12

/**
 * A Unix socket and the lock, in a folder of the per-user folder that only its owner may enter. All launches of a user agree on that
 * place; they do not on `XDG_RUNTIME_DIR`, which `su`, `cron` and services lack, so that a second wrapper would begin. Nobody else can
 * make something there first, as in the folder of temporary files.
 */
export const posixPlace: InstancePlatform = {
  // Machines that share the user's home each have a wrapper.
  user: () => `${process.getuid?.() ?? ''}${machineId()}`,
  // On macOS a user has one session, and a display only where an X server is installed.
  loginSession: environment => (process.platform === 'darwin' ? '' : loginDisplay(environment)),
  isElevated: () => process.geteuid?.() === 0,
  place(name, _application, userFolder) {
    const privateFolder = join(userFolder, 'run')
    const file = join(privateFolder, name.slice(0, nameDigits))
    const rest = { lockFile: `${file}.lock`, privateFolder }
    const socket = `${file}.sock`
    if (Buffer.byteLength(socket) <= maxSocketPathBytes) return { ...rest, handOffAddress: socket }
    // Where every launch looks, whatever its folder of temporary files is: 64 digits make the address one that nobody can guess.
    return { ...rest, handOffAddress: '/tmp/webwrapper.', addressFile: `${file}.address` }
  },
}

/** Empty where there is none, as on macOS. */
function machineId(): string {
  try {
    return `@${readFileSync('/etc/machine-id', 'utf8').trim()}`
  } catch {
    return ''
  }
}
