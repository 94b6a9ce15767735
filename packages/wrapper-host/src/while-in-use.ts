import { setTimeout as delay } from 'node:timers/promises'
import { failureReason } from './failure-reason.ts'

/** How {@link whileInUse} tries. */
export interface WhileInUseOptions {
  /** Codes of the file system that are worth another try. Default: `EBUSY`. */
  readonly reasons?: readonly string[]
  /** How long in milliseconds it is tried again. Default 5000. */
  readonly limitMs?: number
  /** Gives up, for its reason. */
  readonly signal?: AbortSignal | undefined
}

/** What Windows answers to the renaming of what is open elsewhere, or has an open file in it. */
export const refusedRenaming: readonly string[] = ['EPERM', 'EACCES', 'EBUSY']

/** Between two tries. Scanners for viruses, and programs that read, have a file for a moment, though perhaps again and again. */
const longestPauseMs = 50

/**
 * Does something with a file, and again as long as Windows refuses it because another program has the file for itself.
 *
 * @throws what the last try threw, or the signal's reason
 */
export async function whileInUse<Result>(
  attempt: () => Promise<Result>,
  { reasons = ['EBUSY'], limitMs = 5000, signal }: WhileInUseOptions = {},
): Promise<Result> {
  const until = performance.now() + limitMs
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!reasons.includes(failureReason(error)) || performance.now() > until) throw error
    }
    await delay(pauseMs * (0.5 + Math.random()))
    signal?.throwIfAborted()
  }
}
