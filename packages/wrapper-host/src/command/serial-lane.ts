import { ClosingError } from '@service-link/protocol-core/errors'

/**
 * Runs pieces of work one after the other, in the order in which they were added. A launch is one piece, a pipe command
 * that changes what the user sees is one piece: none runs in the middle of another.
 */
export class SerialLane {
  /** In order; what is given up leaves at once, however many that are. */
  readonly #waiting = new Set<() => Promise<void>>()
  readonly #closing = new AbortController()
  #isRunning = false

  /** Aborts when the lane is closed; for work that waits. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /**
   * Adds a piece of work.
   *
   * @param signal gives up at once a piece that has not begun; one that has begun looks at the signal itself
   * @throws {ClosingError} when the lane is closed before the piece begins
   */
  add<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const limit = signal ? AbortSignal.any([this.signal, signal]) : this.signal
    if (limit.aborted) return Promise.reject(limit.reason)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const piece = async () => {
      try {
        resolve(await work())
      } catch (error) {
        reject(error)
      }
      limit.removeEventListener('abort', giveUp)
    }
    const giveUp = () => {
      this.#waiting.delete(piece)
      reject(limit.reason)
    }
    limit.addEventListener('abort', giveUp, { once: true })
    this.#waiting.add(piece)
    if (!this.#isRunning) void this.#run()
    return promise
  }

  /** Begins no further piece: those that wait fail with {@link ClosingError}. */
  close(): void {
    this.#closing.abort(new ClosingError())
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // Whoever adds a piece is not interrupted by it.
    await undefined
    for (const piece of this.#waiting) {
      this.#waiting.delete(piece)
      await piece()
    }
    this.#isRunning = false
  }
}
