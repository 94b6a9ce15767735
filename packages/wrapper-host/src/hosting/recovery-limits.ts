import { OptionError } from '../settings/option-error.ts'
import type { Occurrences } from './occurrence-limit.ts'

/** How many faults of one kind in such a time are too many. */
export interface RecoveryLimits {
  /** Crashes of the page until it is tried again after a pause only. Default 3 in 60,000 ms. */
  readonly crashes?: Occurrences
  /** Times that the page no longer answers, until the same; to find one out takes 20 to 40 seconds. Default 3 in 600,000 ms. */
  readonly hangs?: Occurrences
  /** Losses of the browser until the wrapper ends. Default 3 in 60,000 ms. */
  readonly losses?: Occurrences
}

/** @throws {OptionError} when a count is no whole number above 0, or a time no finite one above 0 */
export function checkRecoveryLimits(limits: RecoveryLimits): void {
  for (const name of ['crashes', 'hangs', 'losses'] as const) {
    const limit = limits[name]
    if (limit === undefined) continue
    if (!Number.isSafeInteger(limit.count) || limit.count < 1)
      throw new OptionError(`recovery.${name}.count`, 'a whole number above 0')
    if (!Number.isFinite(limit.withinMs) || limit.withinMs <= 0)
      throw new OptionError(`recovery.${name}.withinMs`, 'a number of milliseconds above 0')
  }
}
