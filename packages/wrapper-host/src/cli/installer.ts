import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connectWrapper, locateWrapper } from '@service-link/pipe-client'
import { listWrapperRecords } from '@service-link/pipe-client/records'
import { isAlive, ownDesktop, recordFolder } from '@service-link/pipe-client/running'
import type { Brand } from '@service-link/protocol-core'
import { Deadline, growingPause, pause } from '@service-link/protocol-core/time'
import { replaceFile } from '../files/whole-file.ts'
import { failureReason } from '../log/failure-reason.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { isLockHeld } from '../start/instance-lock.ts'
import { fingerprint } from '../start/instance-place.ts'

const firstPauseMs = 50
const longestPauseMs = 1000

interface CloseWrappersOptions {
  /** Default 30,000. */
  readonly timeoutMs?: number
  /** Whether a new version is the reason: users are told, and unsaved work is waited for. Default false. */
  readonly forUpdate?: boolean
  /** Gets the desktop of each wrapper that is asked, also again. */
  onFound?(desktop: string): void
}

/**
 * Asks this user's wrappers, on all desktops, to close, and waits until their processes have ended. Sends nothing to a wrapper that
 * does not prove itself. Ends no process by force. Asks for no sign-out at the service. Returns whether all have ended: no process
 * is left, and none holds a lock.
 */
export async function closeWrappers(
  brand: Brand,
  { timeoutMs = 30_000, forUpdate = false, onFound }: CloseWrappersOptions = {},
): Promise<boolean> {
  const deadline = new Deadline(timeoutMs)
  const { userFolder } = locateFolders(brand)
  const pids = new Set<number>()
  for (let attempt = 0; ; attempt++) {
    // A busy machine may let one attempt fail, so a wrapper is asked until it has taken its record back.
    const published = listWrapperRecords(userFolder)
    for (const { pid, desktop } of published) {
      pids.add(pid)
      onFound?.(desktop)
    }
    const asked = published.map(({ pid }) => askToClose(pid, userFolder, { deadline, forUpdate }))
    await Promise.allSettled(asked)
    if (![...pids].some(isAlive) && !(await isAnyLockHeld(userFolder))) return true
    if (deadline.isOver) return false
    await pause(growingPause(attempt, { firstMs: firstPauseMs, longestMs: longestPauseMs }))
  }
}

interface Asking {
  readonly deadline: Deadline
  readonly forUpdate: boolean
}

async function askToClose(pid: number, userFolder: string, { deadline, forUpdate }: Asking): Promise<void> {
  const { leftMs: timeoutMs } = deadline
  await using wrapper = await connectWrapper({ pid, userFolder, timeoutMs, reconnect: false })
  await wrapper.close({ signOut: false, forUpdate })
}

/** A wrapper waits for two minutes at most, and then ends like any other. */
const suspendTimeoutMs = 150_000

/** Begins the names of the notes that an update has closed a wrapper: empty files, one a desktop. Desktops that suspend at the same time share none. */
const suspendedName = 'suspended-'

function suspensionNote(brand: Brand, desktop: string): string {
  return join(locateFolders(brand).userFolder, `${suspendedName}${fingerprint(desktop)}`)
}

/** A note that is older belongs to an installation that failed, in milliseconds. */
const noteLifeMs = 3_600_000

/**
 * Closes this user's wrappers like {@link closeWrappers} for a new version, and notes on which desktops some ran. Returns whether all have
 * ended.
 */
export async function suspendWrappers(brand: Brand): Promise<boolean> {
  const desktops = new Set<string>()
  const hasEnded = await closeWrappers(brand, {
    timeoutMs: suspendTimeoutMs,
    forUpdate: true,
    onFound: desktop => desktops.add(desktop),
  })
  // Removes none: another desktop of this user may have written it for the same update.
  for (const desktop of desktops) await replaceFile(suspensionNote(brand, desktop), '')
  return hasEnded
}

/**
 * Starts the installed wrapper again if {@link suspendWrappers} has closed one on this desktop. Does not wait for it. An update for all users
 * also closes a wrapper that a user has installed: programs start that one first, and so does this.
 *
 * @returns whether it started, or nothing was to do
 * @throws {PipeNotInstalledError} if no wrapper is installed
 */
export async function resumeWrapper(brand: Brand): Promise<boolean> {
  const note = suspensionNote(brand, ownDesktop())
  const written = await stat(note).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
  if (written === undefined) return true
  await rm(note, { force: true })
  if (Date.now() - written > noteLifeMs) return true
  const { command } = await locateWrapper({ brand })
  const [program = '', ...args] = command
  const started = spawn(program, args, { cwd: dirname(program), detached: true, stdio: 'ignore' })
  await once(started, 'spawn')
  started.unref()
  return true
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
  /^(install\.json|suspended-[\da-f]{32})(\.[\da-f-]{36}\.tmp)?$/,
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
