import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type InstanceLock, tryLockInstance } from '../instance/instance-lock.ts'
import { PrivateFolderError } from '../instance/private-folder.ts'
import { ConfigFileError } from './config-file-error.ts'

/** Others hold the lock for as long as it takes to read and write a small file. */
const pauseMs = 20

/** Options of {@link withSettingsLock}. */
export interface SettingsLockOptions {
  /** Longest wait for other wrappers of the user, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
}

/**
 * Does what reads and changes a user's file while no other wrapper of the user does, in whatever login session it runs. The lock
 * is the file `settings.lock` in the user folder; it falls with its process, however that ends.
 *
 * Where the file system has no such locks, as on some file servers, it is done without: a change that is seldom lost there is
 * better than none that is ever saved. What is wrong with the folder is told by the writing then.
 *
 * @param file the user's file, `<user folder>/<version>/user.config`
 * @throws {ConfigFileError} when others hold the lock all the time
 */
export async function withSettingsLock<Result>(
  file: string,
  run: () => Promise<Result>,
  options: SettingsLockOptions = {},
): Promise<Result> {
  const { timeoutMs = 10_000 } = options
  const lockFile = join(dirname(dirname(file)), 'settings.lock')
  const until = performance.now() + timeoutMs
  let lock = tryLock(lockFile)
  while (lock === 'held') {
    if (performance.now() >= until)
      throw new ConfigFileError(file, 'could not be changed: another wrapper of this user is at it')
    await delay(pauseMs)
    lock = tryLock(lockFile)
  }
  try {
    return await run()
  } finally {
    lock?.[Symbol.dispose]()
  }
}

/** @returns nothing where there is no locking */
function tryLock(lockFile: string): InstanceLock | 'held' | undefined {
  try {
    return tryLockInstance(lockFile) ?? 'held'
  } catch (error) {
    if (error instanceof PrivateFolderError) return undefined
    throw error
  }
}
