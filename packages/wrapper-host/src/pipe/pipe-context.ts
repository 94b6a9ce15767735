import type { HelloReply, SessionEvent, SessionStatus } from '@service-link/protocol-core'
import type { CommandRunner } from '../command/command-runner.ts'
import type { UnsentBytes } from './outbox.ts'
import type { PipeLimits } from './pipe-limits.ts'
import type { BodyBytes } from './session-commands.ts'

/** Everything that the connections of one server share. */
export interface PipeContext {
  readonly runner: Pick<CommandRunner, 'begin' | 'runOwn' | 'throwIfClosing'>
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string
  readonly limits: PipeLimits
  /** The reply to `hello`. */
  readonly hello: HelloReply
  readonly session: SessionSource
  /** Counts the bodies of requests in flight. */
  readonly bodyBytes: BodyBytes
  /** Counts the bytes that wait for clients to read them. */
  readonly unsent: UnsentBytes
  /** Parses bodies that are longer than the share of one connection. */
  readonly largeBodies: SharedTurns
}

/** Tells clients in session mode about the wrapper. */
export interface SessionSource {
  /** Status at this moment. */
  status(): SessionStatus
  /**
   * Adds a listener to all events from now on. `closing` is the last event.
   *
   * @returns removes the listener
   */
  on(listener: (event: SessionEvent) => void): () => void
}

/** Runs long work of all connections in order, one piece in each turn of the event loop. */
export class SharedTurns {
  readonly #waiting = new Set<() => void>()
  #isScheduled = false

  /**
   * Adds a piece of work.
   *
   * @returns cancels the work if it has not begun
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
