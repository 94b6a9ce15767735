import { readdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { ownLoginSession, recordEnding, recordFolder } from '@service-link/pipe-client/running'
import { systemRoot } from '@service-link/protocol-core/brand'
import { assertParameter } from '@service-link/protocol-core/errors'

/** Where an instance is found and claimed. */
export interface InstancePlace {
  /** This user's own folder. Absolute path. */
  readonly userFolder: string
  /** Folder of record, lock and socket: nothing in it is trusted unless it is this user's and closed to others. */
  readonly privateFolder: string
  /** File in which the wrapper publishes where it listens, and what proves it. */
  readonly recordFile: string
  /** File whose lock the wrapper holds. */
  readonly lockFile: string
  /** Login session of the instance. */
  readonly session: string
  /**
   * Path of the wrapper's socket in the private folder, or, with `hasRandomEnd`, the beginning of an address that others
   * could take if they knew it: 64 random digits follow.
   */
  readonly address: string
  readonly hasRandomEnd: boolean
}

/** Options of {@link locateInstance}. */
export interface LocateInstanceOptions {
  readonly application: string
  /** Absolute path of the per-user folder. */
  readonly userFolder: string
  /** Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv
}

/** Longest path of a Unix socket in bytes, on macOS; Linux has room for four more. */
const maxSocketPathBytes = 103

/** Hexadecimal digits of the instance's name in the names of its files: enough for the wrappers of one user. */
const nameDigits = 12

/**
 * Says where this user's instance in this login session is, whether it runs or not. Touches nothing.
 *
 * All launches of a user agree on the per-user folder. They do not agree on `XDG_RUNTIME_DIR`, which `su`, `cron` and
 * services lack.
 */
export function locateInstance(options: LocateInstanceOptions): InstancePlace {
  assertParameter('options', options, 'object', {
    application: 'text',
    userFolder: 'text',
    environment: 'object?',
  })
  const { application, userFolder, environment = process.env } = options
  const session = ownLoginSession(environment)
  const name = instanceName({ user: currentUser(), loginSession: session, application, userFolder })
  return placeOf({ name, session, application, userFolder }, process.platform)
}

/** What {@link placeOf} needs to know of an instance. */
export interface PlaceOptions extends Pick<InstancePlace, 'session' | 'userFolder'> {
  /** See {@link instanceName}. */
  readonly name: string
  readonly application: string
}

/** The place of an instance on a platform. */
export function placeOf(
  { name, session, application, userFolder }: PlaceOptions,
  platform: string,
): InstancePlace {
  const privateFolder = recordFolder(userFolder)
  const file = join(privateFolder, name.slice(0, nameDigits))
  const files = { userFolder, privateFolder, recordFile: `${file}${recordEnding}`, lockFile: `${file}.lock` }
  // All users of a machine share the names of pipes, and a name belongs to the first who takes it.
  if (platform === 'win32')
    return { ...files, session, address: `\\\\.\\pipe\\${application}.`, hasRandomEnd: true }
  const socket = `${file}.sock`
  return Buffer.byteLength(socket) <= maxSocketPathBytes
    ? { ...files, session, address: socket, hasRandomEnd: false }
    : { ...files, session, address: '/tmp/webwrapper.', hasRandomEnd: true }
}

/** The user as the operating system knows it: id and machine on POSIX, folder of the profile and name on Windows. */
export function currentUser(platform: string = process.platform): string {
  if (platform !== 'win32') return `${process.getuid?.() ?? ''}${machineId()}`
  // Two domains may have a user of one name. Not every program passes the variable USERDOMAIN on; the profiles differ too.
  const { homedir, username } = userInfo()
  return JSON.stringify([homedir, username])
}

/** Machines that share the home of a user have a wrapper each. Empty where there is no such id, as on macOS. */
function machineId(): string {
  try {
    return `@${readFileSync('/etc/machine-id', 'utf8').trim()}`
  } catch {
    return ''
  }
}

/** Tells whether this process has administrator rights: is root, or runs elevated. */
export function isElevated(): boolean {
  if (process.platform !== 'win32') return process.geteuid?.() === 0
  // Only administrators may read that folder. To ask Windows itself would take a process.
  try {
    readdirSync(join(systemRoot(), 'System32', 'config'))
    return true
  } catch {
    return false
  }
}

/** What tells one wrapper from another: there is one for each combination of all four. */
export interface InstanceIdentity {
  /** See {@link currentUser}. */
  readonly user: string
  /** Two sessions on a terminal server each have a wrapper. Empty where there is none. */
  readonly loginSession: string
  /** The brand's application name. */
  readonly application: string
  /** Absolute path of the per-user folder. */
  readonly userFolder: string
}

/** Name of an instance: 32 hexadecimal digits that depend on all four parts of its identity. No secret. */
export function instanceName(identity: InstanceIdentity): string {
  const parts = [identity.user, identity.loginSession, identity.application, identity.userFolder]
  return fingerprint(JSON.stringify(parts))
}

const offsetBasis = 0x6c62272e07bb014262b821756295c58dn
const prime = (1n << 88n) + 0x13bn

/**
 * FNV-1a with 128 bits over UTF-8, as 32 hexadecimal digits. Loading `node:crypto` would cost a second start more than all
 * the rest of its work, and a name needs no cryptographic hash.
 */
export function fingerprint(text: string): string {
  let hash = offsetBasis
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * prime)
  return hash.toString(16).padStart(32, '0')
}
