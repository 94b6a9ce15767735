import { readdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { ownDesktop, recordEnding, recordFolder } from '@service-link/pipe-client/running'
import { systemRoot } from '@service-link/protocol-core/brand'

export interface InstancePlace {
  /** This user's own folder. Absolute path. */
  readonly userFolder: string
  /** Folder of record, lock and socket. Trusted only if it belongs to this user and is closed to others. */
  readonly privateFolder: string
  /** File with the wrapper's address and secrets. */
  readonly recordFile: string
  /** File whose lock the wrapper holds. */
  readonly lockFile: string
  readonly desktop: string
  /**
   * Path of the wrapper's socket in the private folder. With `hasRandomEnd`, the beginning of an address outside of it: 64 random
   * digits follow, so that no other user can take it beforehand.
   */
  readonly address: string
  readonly hasRandomEnd: boolean
}

interface LocateInstanceOptions extends Pick<InstancePlace, 'userFolder'> {
  readonly application: string
  /** Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv
}

/** Longest path of a Unix socket on macOS, in bytes. Linux allows four more. */
const maxSocketPathBytes = 103

/** Hexadecimal digits of the instance's name in the names of its files. Enough for the wrappers of one user. */
const nameDigits = 12

/**
 * Locates this user's instance on this desktop, whether it runs or not. Changes nothing.
 *
 * The files lie in the per-user folder, which all launches of a user share. `su`, `cron` and services lack `XDG_RUNTIME_DIR`.
 */
export function locateInstance(options: LocateInstanceOptions): InstancePlace {
  const { application, userFolder, environment = process.env } = options
  const desktop = ownDesktop(environment)
  const name = instanceName({ user: currentUser(), desktop, application, userFolder })
  return placeOf({ name, desktop, application, userFolder }, process.platform)
}

interface PlaceOptions extends Pick<InstancePlace, 'desktop' | 'userFolder'> {
  readonly name: string
  readonly application: string
}

export function placeOf(
  { name, desktop, application, userFolder }: PlaceOptions,
  platform: string,
): InstancePlace {
  const privateFolder = recordFolder(userFolder)
  const file = join(privateFolder, name.slice(0, nameDigits))
  const files = { userFolder, privateFolder, recordFile: `${file}${recordEnding}`, lockFile: `${file}.lock` }
  // All users of a machine share the names of pipes. A name belongs to the first user who takes it.
  if (platform === 'win32')
    return { ...files, desktop, address: `\\\\.\\pipe\\${application}.`, hasRandomEnd: true }
  const socket = `${file}.sock`
  return Buffer.byteLength(socket) <= maxSocketPathBytes
    ? { ...files, desktop, address: socket, hasRandomEnd: false }
    : { ...files, desktop, address: '/tmp/webwrapper.', hasRandomEnd: true }
}

/** Names the user: id and machine on POSIX, profile folder and name on Windows. */
export function currentUser(platform: string = process.platform): string {
  if (platform !== 'win32') return `${process.getuid?.() ?? ''}${machineId()}`
  // Two domains may have users of one name. Their profiles differ. Not every program passes USERDOMAIN on.
  const { homedir, username } = userInfo()
  return JSON.stringify([homedir, username])
}

/** Machines with a shared home each have a wrapper. Empty without a machine id, as on macOS. */
function machineId(): string {
  try {
    return `@${readFileSync('/etc/machine-id', 'utf8').trim()}`
  } catch {
    return ''
  }
}

/** Tells whether this process is root or runs elevated. */
export function isElevated(): boolean {
  if (process.platform !== 'win32') return process.geteuid?.() === 0
  // Only administrators may read this folder. Asking Windows would take another process.
  try {
    readdirSync(join(systemRoot(), 'System32', 'config'))
    return true
  } catch {
    return false
  }
}

/** The identity of a wrapper: each combination of the four has its own. */
export type InstanceIdentity = Readonly<Record<'user' | 'desktop' | 'application' | 'userFolder', string>>

/** Names an instance by 32 hexadecimal digits of its identity. The name is no secret. */
export function instanceName({ user, desktop, application, userFolder }: InstanceIdentity): string {
  return fingerprint(JSON.stringify([user, desktop, application, userFolder]))
}

const offsetBasis = 0x6c62272e07bb014262b821756295c58dn
const prime = (1n << 88n) + 0x13bn

/**
 * Hashes a text by FNV-1a with 128 bits over UTF-8, as 32 hexadecimal digits. A name needs no cryptographic hash, and loading
 * `node:crypto` would take longer than the rest of a second start.
 */
export function fingerprint(text: string): string {
  let hash = offsetBasis
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * prime)
  return hash.toString(16).padStart(32, '0')
}
