import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failureReason } from '../log/failure-reason.ts'
import { tryLockInstance } from './instance-lock.ts'

/** A folder for the profiles of the browser. No other wrapper uses it until the disposal. */
export type BrowserFolder = Awaited<ReturnType<typeof claimBrowserFolder>>

/**
 * Claims the folder `browser` in the per-user folder. Wrappers on other desktops get `browser-2` and so on. Removes what
 * killed wrappers have left in these folders, since it may hold texts of a session.
 *
 * @throws {PrivateFolderError} when the per-user folder cannot hold the lock
 */
export async function claimBrowserFolder(userFolder: string) {
  const { folder, lock } = lockFolder(userFolder)
  let left = await remove(folder)
  for (const name of await readdir(userFolder)) {
    const other = join(userFolder, name)
    if (!/^browser(-\d+)?$/.test(name) || other === folder) continue
    using unheld = tryLockInstance(`${other}.lock`)
    if (unheld) left = (await remove(other)) ?? left
  }
  return {
    folder,
    /** The system's code, such as `EBUSY`, if something of killed wrappers is still there. */
    left,
    /** Removes the folder, once its browsers have ended. Returns a code as `left` does. */
    remove: () => remove(folder),
    [Symbol.dispose]: () => lock[Symbol.dispose](),
  }
}

function lockFolder(userFolder: string) {
  for (let number = 1; ; number++) {
    const folder = join(userFolder, number === 1 ? 'browser' : `browser-${number}`)
    const lock = tryLockInstance(`${folder}.lock`)
    if (lock) return { folder, lock }
  }
}

function remove(folder: string): Promise<string | undefined> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 }).then(() => undefined, failureReason)
}
