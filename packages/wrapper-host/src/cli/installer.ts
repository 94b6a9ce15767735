import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { listWrapperRecords } from '@service-link/pipe-client/records'
import { isAlive, ownDesktop, recordFolder } from '@service-link/pipe-client/running'
import type { Brand } from '@service-link/protocol-core'
import { Deadline, growingPause, pause } from '@service-link/protocol-core/time'
import * as z from 'zod/mini'
import { replaceFile } from '../files/whole-file.ts'
import { failureReason } from '../log/failure-reason.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { isLockHeld } from '../start/instance-lock.ts'
import { ownCommand, processFacts } from '../start/note-installation.ts'

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

/** Desktops whose wrapper an update has closed. */
const suspendedFile = 'suspended.json'

const suspendedSchema = z.object({ desktops: z.array(z.string()), at: z.number() })

/** A note that is older belongs to an installation that failed, in milliseconds. */
const noteLifeMs = 3_600_000

/**
 * Closes this user's wrappers like {@link closeWrappers} for a new version, and notes on which desktops some ran. Returns whether all have
 * ended.
 */
export async function suspendWrappers(brand: Brand): Promise<boolean> {
  const file = join(locateFolders(brand).userFolder, suspendedFile)
  // One of an installation that failed would start a wrapper that its user has closed since.
  await rm(file, { force: true })
  const desktops = new Set<string>()
  const hasEnded = await closeWrappers(brand, {
    timeoutMs: suspendTimeoutMs,
    forUpdate: true,
    onFound: desktop => desktops.add(desktop),
  })
  if (desktops.size > 0) {
    const note = JSON.stringify({ desktops: [...desktops], at: Date.now() })
    await replaceFile(file, note)
  }
  return hasEnded
}

/** Starts the wrapper again if {@link suspendWrappers} has closed one on this desktop. Does not wait for it. Returns whether it could. */
export async function resumeWrapper(brand: Brand): Promise<boolean> {
  const file = join(locateFolders(brand).userFolder, suspendedFile)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return true
  const { desktops, at } = readNote(text)
  const others = desktops.filter(desktop => desktop !== ownDesktop())
  if (others.length === 0) await rm(file, { force: true })
  else await replaceFile(file, JSON.stringify({ desktops: others, at }))
  if (others.length === desktops.length || Date.now() - at > noteLifeMs) return true
  const facts = processFacts()
  if (!facts) return false
  const [program = '', ...args] = ownCommand(facts)
  const started = spawn(program, args, { cwd: dirname(program), detached: true, stdio: 'ignore' })
  await once(started, 'spawn')
  started.unref()
  return true
}

/** A note that is damaged names no desktop. */
function readNote(text: string): z.output<typeof suspendedSchema> {
  try {
    return suspendedSchema.parse(JSON.parse(text))
  } catch {
    return { desktops: [], at: 0 }
  }
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
  /^(install|suspended)\.json(\.[\da-f-]{36}\.tmp)?$/,
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
