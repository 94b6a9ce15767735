import { lstat, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { listWrapperRecords } from '@service-link/pipe-client/records'
import { isAlive, recordFolder } from '@service-link/pipe-client/running'
import type { Brand } from '@service-link/protocol-core'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { failureReason } from '../log/failure-reason.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { isLockHeld } from '../start/instance-lock.ts'

const closePauseMs = 50

/**
 * Asks this user's wrappers, on all desktops, to close, and waits until their processes have ended. Sends nothing to a wrapper that
 * does not prove itself. Ends no process by force. Asks for no sign-out at the service. Returns whether all have ended: no process
 * is left, and none holds a lock.
 */
export async function closeWrappers(
  brand: Brand,
  { timeoutMs = 30_000 }: { readonly timeoutMs?: number } = {},
): Promise<boolean> {
  const deadline = new Deadline(timeoutMs)
  const { userFolder } = locateFolders(brand)
  const pids = new Set<number>()
  for (;;) {
    // A busy machine may let one attempt fail, so a wrapper is asked until it has taken its record back.
    const published = listWrapperRecords(userFolder).map(({ pid }) => pid)
    for (const pid of published) pids.add(pid)
    await Promise.all(published.map(pid => askToClose(pid, userFolder, deadline).catch(() => undefined)))
    if (![...pids].some(isAlive) && !(await isAnyLockHeld(userFolder))) return true
    if (deadline.isOver) return false
    await pause(closePauseMs)
  }
}

async function askToClose(pid: number, userFolder: string, { leftMs }: Deadline): Promise<void> {
  await using wrapper = await connectWrapper({ pid, userFolder, timeoutMs: leftMs, reconnect: false })
  await wrapper.close({ signOut: false })
}

/** A wrapper that answers nobody still holds its lock until its process ends. */
async function isAnyLockHeld(userFolder: string): Promise<boolean> {
  const folder = recordFolder(userFolder)
  const names = await readdir(folder).catch(error => {
    if (failureReason(error) === 'ENOENT') return []
    throw error
  })
  return names.some(name => name.endsWith('.lock') && isLockHeld(join(folder, name)))
}

/** The wrapper's own names in the per-user folder. Everything else stays. */
const ownNames: readonly RegExp[] = [
  /^browser(-[1-9]\d*)?(\.lock)?$/,
  /^(logs|run|tray)$/,
  // A power failure may leave the temporary file of a replacement.
  /^install\.json(\.[\da-f-]{36}\.tmp)?$/,
]

const forgetPauseMs = 250

/**
 * Removes what a wrapper keeps for its user: the folders of its browsers and logs. The settings stay. Removes only the wrapper's
 * own names. Follows no link, and leaves a per-user folder alone that is a link. Returns how many files and folders could not be
 * removed. Never rejects.
 */
export async function forgetUser(
  userFolder: string,
  { timeoutMs = 5000 }: { readonly timeoutMs?: number } = {},
): Promise<number> {
  const deadline = new Deadline(timeoutMs)
  const isFolder = async (path: string) => (await lstat(path)).isDirectory()
  try {
    if (!(await isFolder(userFolder)) || !(await isFolder(dirname(userFolder)))) return 0
    let left = await removeOwn(userFolder)
    // The browser's processes end a little after the wrapper.
    while (left > 0 && !deadline.isOver) {
      await pause(forgetPauseMs)
      left = await removeOwn(userFolder)
    }
    // Fails for a folder that is not empty.
    for (const folder of [userFolder, dirname(userFolder)]) await rmdir(folder).catch(() => undefined)
    return left
  } catch (error) {
    return failureReason(error) === 'ENOENT' ? 0 : 1
  }
}

async function removeOwn(userFolder: string): Promise<number> {
  const own = (await readdir(userFolder)).filter(name => ownNames.some(each => each.test(name)))
  const removals = own.map(name => rm(join(userFolder, name), { recursive: true, force: true }))
  return (await Promise.allSettled(removals)).filter(({ status }) => status === 'rejected').length
}
