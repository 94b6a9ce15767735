import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './instance-lock.ts'

/**
 * Whether a process holds the lock of an instance. To find out, the file is read, which takes a lock that readers share, for a
 * moment. A start at that very moment finds the instance taken, and tries again within milliseconds, as it does when another
 * start is quicker: it is not kept from anything. Makes no file.
 *
 * @throws an error of SQLite or of the file system when the file cannot be read, or is not a lock
 */
export function isLockHeld(file: string): boolean {
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.exec('PRAGMA busy_timeout=0')
    database.prepare('SELECT count(*) FROM sqlite_master').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    database.close()
  }
}
