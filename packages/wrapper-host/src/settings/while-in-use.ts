import { Deadline, pause } from '@service-link/protocol-core/time'
import { failureReason } from '../log/failure-reason.ts'

/** Options of {@link whileInUse}. */
export interface WhileInUseOptions {
  /** Error codes of the file system that are worth a retry. Default: `EBUSY`. */
  readonly reasons?: readonly string[]
  /** Longest time for retries in milliseconds. Default 5000. */
  readonly limitMs?: number
  /** Ends the retries with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** Codes with which Windows refuses to rename a file that is open elsewhere, or a folder with such a file. */
export const refusedRenaming: readonly string[] = ['EPERM', 'EACCES', 'EBUSY']

/** Virus scanners and readers hold a file for a moment only. */
const longestPauseMs = 50

/**
 * Does something with a file, and tries again while Windows refuses it because another program holds the file.
 *
 * @throws the error of the last try, or the signal's reason
 */
export async function whileInUse<Result>(
  attempt: () => Promise<Result>,
  { reasons = ['EBUSY'], limitMs = 5000, signal }: WhileInUseOptions = {},
): Promise<Result> {
  const deadline = new Deadline(limitMs, signal)
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!reasons.includes(failureReason(error)) || deadline.isOver) throw error
    }
    await pause(pauseMs * (0.5 + Math.random()), signal)
  }
}
