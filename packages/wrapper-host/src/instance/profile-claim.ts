import { join } from 'node:path'
import { tryLockInstance } from './instance-lock.ts'

/** A browser profile that no other wrapper uses meanwhile. */
export interface ProfileClaim extends Disposable {
  readonly folder: string
}

/**
 * Claims a folder for the browser's profile. Two browsers cannot share one, and the wrappers of a user's login sessions share
 * the per-user folder: the first that runs has `browser`, one that runs at the same time `browser-2`, and so on. The lock lies
 * beside the profile: it is the profile's, whichever session has it.
 *
 * @throws {PrivateFolderError} when the lock cannot be made
 */
export function claimProfile(userFolder: string): ProfileClaim {
  for (let number = 1; ; number++) {
    const folder = join(userFolder, number === 1 ? 'browser' : `browser-${number}`)
    const lock = tryLockInstance(`${folder}.lock`)
    if (lock) return { folder, [Symbol.dispose]: () => lock[Symbol.dispose]() }
  }
}
