import { dirname, join } from 'node:path'
import { type InstanceLock, tryLockInstance } from './instance-lock.ts'
import { fingerprint } from './instance-name.ts'
import type { InstancePlace } from './platform/instance-platform.ts'

/** A browser profile that no other wrapper uses meanwhile. */
export interface ProfileClaim extends Disposable {
  readonly folder: string
}

/**
 * Claims a folder for the browser's profile. Two browsers cannot share one, and the wrappers of a user's login sessions share
 * the per-user folder: the first that runs has `browser`, one that runs at the same time `browser-2`, and so on. The lock lies
 * beside the instance's, on a disk of this machine.
 *
 * @throws {PrivateFolderError} when the lock cannot be made
 */
export function claimProfile(place: Pick<InstancePlace, 'lockFile'>, userFolder: string): ProfileClaim {
  for (let number = 1; ; number++) {
    const folder = join(userFolder, number === 1 ? 'browser' : `browser-${number}`)
    const lock = tryLockProfile(place, folder)
    if (lock) return { folder, [Symbol.dispose]: () => lock[Symbol.dispose]() }
  }
}

/** Of the name, as many digits as tell the profiles of one user apart. */
function tryLockProfile(place: Pick<InstancePlace, 'lockFile'>, folder: string): InstanceLock | undefined {
  return tryLockInstance(join(dirname(place.lockFile), `${fingerprint(folder).slice(0, 12)}.profile`))
}
