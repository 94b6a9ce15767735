import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { isAlive, listWrapperRecords, recordFolder } from '@service-link/pipe-client/running'
import type { Brand } from '@service-link/protocol-core'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { isLockHeld } from '../start/instance-lock.ts'

/** Options of {@link closeWrappers}. */
export interface CloseWrappersOptions {
  /** Longest wait for their processes to end, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number
}

const pauseMs = 50

/**
 * Asks this user's wrappers, in all login sessions, to close, and waits until their processes are gone. One that does not
 * prove itself is left alone. Ends no process by force.
 *
 * @returns whether none runs any more: neither its process nor the lock that it holds
 * @throws the file system's error when the folder of the locks cannot be read; that of SQLite when a lock cannot be, or is damaged
 */
export async function closeWrappers(brand: Brand, options: CloseWrappersOptions = {}): Promise<boolean> {
  const deadline = new Deadline(options.timeoutMs ?? 30_000)
  const { userFolder } = locateFolders(brand)
  const pids = listWrapperRecords(userFolder).map(({ pid }) => pid)
  await Promise.all(pids.map(pid => askToClose(pid, userFolder, deadline).catch(() => undefined)))
  while (pids.some(isAlive) || (await holdsLock(userFolder))) {
    if (deadline.isOver) return false
    await pause(pauseMs)
  }
  return true
}

async function askToClose(pid: number, userFolder: string, { leftMs }: Deadline): Promise<void> {
  await using wrapper = await connectWrapper({ pid, userFolder, timeoutMs: leftMs, reconnect: false })
  await wrapper.close()
}

/** Tells whether a wrapper runs that answers nobody: it holds its lock until its process is gone. */
async function holdsLock(userFolder: string): Promise<boolean> {
  const folder = recordFolder(userFolder)
  const names = await readdir(folder).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.some(name => name.endsWith('.lock') && isLockHeld(join(folder, name)))
}
