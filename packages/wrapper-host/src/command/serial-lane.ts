import { ClosingError } from '@service-link/protocol-core/errors'
import { type TurnOptions, Turns } from './turns.ts'

/** How a piece of work is added. */
export interface LaneOptions extends Partial<TurnOptions> {
  /** Gives up at once a piece that has not begun; one that has begun looks at the signal itself. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs pieces of work one after the other. A launch is one piece, a pipe command that changes what the user sees is one piece:
 * none runs in the middle of another. Clients take turns; the pieces of one client run in the order in which they were added.
 */
export class SerialLane {
  /** What is given up leaves at once, however much that is. */
  readonly #waiting = new Turns<() => Promise<void>>()
  readonly #closing = new AbortController()
  #isRunning = false

  /** Aborts when the lane is closed; for work that waits. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /**
   * Adds a piece of work, of a client of its own when none is named.
   *
   * @throws {ClosingError} when the lane is closed before the piece begins
   */
  add<Result>(
    work: () => Promise<Result>,
    { signal, client = {}, isAlone = false }: LaneOptions = {},
  ): Promise<Result> {
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
    const leave = this.#waiting.add(piece, { client, isAlone })
    const giveUp = () => {
      leave()
      reject(limit.reason)
    }
    limit.addEventListener('abort', giveUp, { once: true })
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
    for (let piece = this.#waiting.take(); piece; piece = this.#waiting.take()) await piece()
    this.#isRunning = false
  }
}
