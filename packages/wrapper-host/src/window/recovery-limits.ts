interface Occurrences {
  readonly count: number
  /** Time in which they count together, in milliseconds. */
  readonly withinMs: number
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
