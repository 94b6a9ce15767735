import { setTimeout as wait } from 'node:timers/promises'
import { type Brand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core'
import { locatePipeKey, readPipeKey } from '../pipe/pipe-key.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { askToClose } from './ask-to-close.ts'
import { holdsLock } from './holds-lock.ts'
import { installPlatform } from './platform/index.ts'

/** Options of {@link closeWrappers}. */
export interface CloseWrappersOptions {
  /** Longest wait for their processes to end, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number
}

const pauseMs = 50

/**
 * Asks this user's wrappers of a brand, in all login sessions, to close, and waits until their processes are gone. One that does not
 * prove whose it is, as one that is older than the proof, is left alone. Ends no process by force.
 *
 * @returns whether none runs any more, be it that it was not asked, or was too busy to be found: then its lock is held
 * @throws the file system's error when the key by which they prove themselves cannot be read, or their folder cannot; that of SQLite when
 * a lock cannot be, or is damaged
 */
export async function closeWrappers(brand: Brand, options: CloseWrappersOptions = {}): Promise<boolean> {
  const { timeoutMs = 30_000 } = options
  const until = performance.now() + timeoutMs
  const key = readPipeKey(locatePipeKey(brand))
  const folder = unixPipeFolder(process.env)
  const { userFolder } = locateFolders(brand)
  const found = await installPlatform.findRunning(brand, userFolder)
  const answers = await Promise.all(
    found.map(async pid => {
      const address = pipeAddress(brand, pid, process.platform, folder)
      return { pid, wasAsked: key !== undefined && (await askToClose({ address, pid, key, timeoutMs })) }
    }),
  )
  const asked = answers.filter(({ wasAsked }) => wasAsked)
  while (asked.some(({ pid }) => runs(pid))) {
    if (performance.now() > until) return false
    await wait(pauseMs)
  }
  if (answers.some(({ pid }) => runs(pid))) return false
  while (await holdsLock(userFolder)) {
    if (performance.now() > until) return false
    await wait(pauseMs)
  }
  return true
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
