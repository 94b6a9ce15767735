import { OptionError } from '../settings/wrapper-folders.ts'

/** Limit for repeated faults. */
export interface Occurrences {
  /** A whole number above 0. */
  readonly count: number
  /** Time in which they count together, in milliseconds. */
  readonly withinMs: number
}

/** Limits for repeated faults of each kind. */
export interface RecoveryLimits {
  /** Crashes of the page until its restart waits for a pause. Default 3 in 60,000 ms. */
  readonly crashes?: Occurrences
  /** Hangs of the page until its restart waits; to detect one takes 20 to 40 seconds. Default 3 in 600,000 ms. */
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

/** Tells an occasional fault from one that happens again and again. */
export class OccurrenceLimit {
  readonly #limit: Occurrences
  readonly #now: () => number
  #times: readonly number[] = []

  /** @param now monotonic clock in milliseconds */
  constructor(limit: Occurrences, now: () => number = () => performance.now()) {
    this.#limit = limit
    this.#now = now
  }

  /** Notes a fault. Returns whether the limit is reached; the count begins anew then. */
  isReachedByOneMore(): boolean {
    const time = this.#now()
    this.#times = [...this.#times.filter(earlier => time - earlier < this.#limit.withinMs), time]
    if (this.#times.length < this.#limit.count) return false
    this.#times = []
    return true
  }
}
