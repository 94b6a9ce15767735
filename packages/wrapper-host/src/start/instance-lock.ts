import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { instanceFileError } from '../files/access.ts'

/**
 * Takes the lock of an instance, without waiting. The operating system releases it at any end of this process. Makes the folder of its file if there is none.
 *
 * The lock is an SQLite file that one connection holds exclusively, because Node has no file locks of its own. Nothing is written
 * to the file.
 *
 * On POSIX the lock is lost when this process opens and closes the file in any other way, such as to copy or search it. A second
 * wrapper could start then: a program that embeds the wrapper must leave files `*.lock` alone. Returns the lock, or `undefined`
 * when another process holds it.
 */
export function tryLockInstance(file: string): Disposable | undefined {
  let database: DatabaseSync | undefined
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    database = open(file)
    database.exec(
      'PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE',
    )
  } catch (error) {
    database?.close()
    if (isBusy(error)) return undefined
    throw instanceFileError(file, 'the lock', error)
  }
  const held = database
  unreleased.add(held)
  return {
    [Symbol.dispose]() {
      unreleased.delete(held)
      held.close()
    },
  }
}

/** Keeps connections whose lock nobody refers to: garbage collection would close them, and a second wrapper could start. */
const unreleased = new Set<DatabaseSync>()

/**
 * Tells whether a process holds the lock of an instance. Reading takes a shared lock for a moment: a start at that moment finds
 * the instance taken, and tries again within milliseconds. Makes no file.
 */
export function isLockHeld(file: string): boolean {
  if (!existsSync(file)) return false
  const database = open(file, { readOnly: true })
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

/** Node 20 has no SQLite; a static import of it would fail before the sentence that names the Node to install. */
function open(...args: ConstructorParameters<typeof DatabaseSync>): DatabaseSync {
  return new (process.getBuiltinModule('node:sqlite').DatabaseSync)(...args)
}

const sqliteBusy = 5
const sqliteLocked = 6

/** Tells whether another connection, in any process, made SQLite fail. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  // The lower eight bits are the primary code.
  const primary = error.errcode & 0xff
  return primary === sqliteBusy || primary === sqliteLocked
}
