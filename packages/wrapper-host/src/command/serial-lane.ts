import { ClosingError } from '@service-link/protocol-core/errors'
import { unlessAborted } from './time-limit.ts'

/**
 * Runs pieces of work one after the other, in the order in which they were added. A launch is one piece, a pipe command
 * that changes what the user sees is one piece: none runs in the middle of another.
 */
export class SerialLane {
  #tail: Promise<unknown> = Promise.resolve()
  readonly #closing = new AbortController()

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
    const run = this.#tail.then(() => {
      limit.throwIfAborted()
      return work()
    })
    this.#tail = run.catch(() => undefined)
    return unlessAborted(run, limit)
  }

  /** Begins no further piece: those that wait fail with {@link ClosingError}. */
  close(): void {
    this.#closing.abort(new ClosingError())
  }
}
