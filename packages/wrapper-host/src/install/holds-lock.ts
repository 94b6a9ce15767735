import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isLockHeld } from '../instance/peek-lock.ts'

const lockFile = /^[\da-f]{32}\.lock$/

/**
 * Whether a wrapper of a user runs, in any login session, be it that it answers nobody: it holds its lock until its process is gone.
 *
 * @param userFolder absolute path
 * @throws the file system's error when the folder cannot be read, or that of SQLite when a lock cannot be, or is damaged
 */
export async function holdsLock(userFolder: string): Promise<boolean> {
  const names = await readdir(userFolder).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.some(name => lockFile.test(name) && isLockHeld(join(userFolder, name)))
}
