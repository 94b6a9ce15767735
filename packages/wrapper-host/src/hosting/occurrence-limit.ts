/** How many are too many. */
export interface Occurrences {
  /** A whole number above 0. */
  readonly count: number
  /** Time in which they count together, in milliseconds. */
  readonly withinMs: number
}

/** Options of {@link OccurrenceLimit}. */
export interface OccurrenceLimitOptions extends Occurrences {
  /** Clock in milliseconds. Default: one that never goes back. */
  readonly now?: () => number
}

/** Tells a fault that happens now and then from one that happens again and again. */
export class OccurrenceLimit {
  readonly #options: OccurrenceLimitOptions
  #times: readonly number[] = []

  constructor(options: OccurrenceLimitOptions) {
    this.#options = options
  }

  /** Notes one. Returns whether there were too many; they are forgotten then. */
  isReachedByOneMore(): boolean {
    const { count, withinMs, now = () => performance.now() } = this.#options
    const time = now()
    this.#times = [...this.#times.filter(earlier => time - earlier < withinMs), time]
    if (this.#times.length < count) return false
    this.#times = []
    return true
  }
}
