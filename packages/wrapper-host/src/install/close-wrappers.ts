import { setTimeout as wait } from 'node:timers/promises'
import { type Brand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core'
import { locatePipeKey, readPipeKey } from '../pipe/pipe-key.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { askToClose } from './ask-to-close.ts'
import { installPlatform } from './platform/index.ts'

/** Options of {@link closeWrappers}. */
export interface CloseWrappersOptions {
  /** Longest wait for their processes to end, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number
}

const pauseMs = 50

/**
 * Asks this user's wrappers of a brand, in all login sessions, to close, and waits until their processes are gone. One that does not
 * answer, and one of another user, is left alone. Never rejects, and ends no process by force.
 *
 * @returns whether none is left of those that were asked
 */
export async function closeWrappers(brand: Brand, options: CloseWrappersOptions = {}): Promise<boolean> {
  const { timeoutMs = 30_000 } = options
  const until = performance.now() + timeoutMs
  // The first wrapper of a user makes it: where there is none, none has run.
  const key = readPipeKey(locatePipeKey(brand))
  if (!key) return true
  const folder = unixPipeFolder(process.env)
  const found = await installPlatform.findRunning(brand, locateFolders(brand).userFolder)
  const asked = await Promise.all(
    found.map(async pid => {
      const address = pipeAddress(brand, pid, process.platform, folder)
      return (await askToClose({ address, pid, key, timeoutMs })) ? pid : undefined
    }),
  )
  const pids = asked.filter(pid => pid !== undefined)
  while (pids.some(runs)) {
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
