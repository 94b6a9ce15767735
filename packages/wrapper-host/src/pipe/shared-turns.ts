/** Work of all connections of one server that takes its time: one piece in a turn of the event loop, in the order in which they came. */
export class SharedTurns {
  readonly #waiting = new Set<() => void>()
  #isScheduled = false

  /**
   * Has a piece of work done in a turn of its own.
   *
   * @returns gives it up, if it has not begun
   */
  add(work: () => void): () => void {
    this.#waiting.add(work)
    this.#schedule()
    return () => void this.#waiting.delete(work)
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return
    this.#isScheduled = true
    setImmediate(this.#takeTurn)
  }

  readonly #takeTurn = (): void => {
    this.#isScheduled = false
    const [work] = this.#waiting
    if (!work) return
    this.#waiting.delete(work)
    this.#schedule()
    work()
  }
}
