/**
 * One timer for many deadlines: it runs for the nearest, and is set anew only for a nearer one or when it is over. That a
 * deadline has become needless, as nearly all do, costs nothing. Never keeps the process alive.
 */
export class DeadlineTimer {
  readonly #onDue: (nowMs: number) => number
  #dueMs = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  /** @param onDue deals with all deadlines up to a time of `performance.now()`, and returns the nearest that is left, or `Infinity` */
  constructor(onDue: (nowMs: number) => number) {
    this.#onDue = onDue
  }

  /** Takes a deadline into account, a time of `performance.now()`. */
  watch(deadlineMs: number): void {
    if (deadlineMs < this.#dueMs) this.#set(deadlineMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#dueMs = Number.POSITIVE_INFINITY
  }

  #set(deadlineMs: number): void {
    clearTimeout(this.#timer)
    this.#dueMs = deadlineMs
    if (deadlineMs === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, Math.ceil(deadlineMs - performance.now())))
    this.#timer.unref()
  }

  #expire(): void {
    this.#dueMs = Number.POSITIVE_INFINITY
    this.#set(this.#onDue(performance.now()))
  }
}
