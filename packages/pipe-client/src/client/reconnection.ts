import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { Channel } from '../connection/channel.ts'
import { boundTimeout } from '../connection/timeout.ts'
import { PipeClosedError } from '../errors/pipe-error.ts'

/** Connects, giving up when the signal is aborted. */
export type Connect = (signal: AbortSignal) => Promise<Channel>

interface Attempt {
  readonly channel: Promise<Channel>
  readonly abort: AbortController
  waitingCount: number
}

/** The channel of a client: the one it has, or a new one once that has ended. Calls that need one at a time share it. */
export class Reconnection {
  #current: Channel
  readonly #connect: Connect | undefined
  #attempt: Attempt | undefined
  #isClosed = false

  /** @param connect connects again; without it the first channel is the only one */
  constructor(first: Channel, connect: Connect | undefined) {
    this.#current = first
    this.#connect = connect
  }

  /** The channel as it is, even when it has ended. */
  get current(): Channel {
    return this.#current
  }

  /** Whether a call can be made without connecting: also when it cannot connect, and the call may as well fail by itself. */
  get isReady(): boolean {
    return !this.#isClosed && (!this.#connect || this.#current.isOpen)
  }

  /**
   * Waits for a channel.
   *
   * @throws {PipeClosedError} when this was closed
   * @throws {PipeTimeoutError} when the time is over
   * @throws the signal's reason when it is aborted
   * @throws whatever connecting throws
   */
  async open(bounds: CallBounds): Promise<Channel> {
    const timeoutMs = boundTimeout(bounds.timeoutMs)
    bounds.signal?.throwIfAborted()
    if (this.#isClosed || !this.#connect) throw new PipeClosedError(false)
    const attempt = this.#attempt ?? this.#begin(this.#connect)
    this.#attempt = attempt
    attempt.waitingCount++
    try {
      return await awaitWithin(attempt.channel, { ...bounds, timeoutMs })
    } finally {
      // The next call begins anew: this attempt is over, or nobody waits for it any more.
      if (--attempt.waitingCount === 0) {
        if (this.#attempt === attempt) this.#attempt = undefined
        attempt.abort.abort(new PipeClosedError(false))
      }
    }
  }

  /** Ends the channel, and the attempt to open another. Nothing is opened after it. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#attempt?.abort.abort(new PipeClosedError(false))
    await this.#current.close()
  }

  #begin(connect: Connect): Attempt {
    const abort = new AbortController()
    const channel = this.#replace(connect, abort.signal)
    // It is told to those who wait; there may be none left.
    channel.catch(() => {})
    return { channel, abort, waitingCount: 0 }
  }

  async #replace(connect: Connect, signal: AbortSignal): Promise<Channel> {
    const channel = await connect(signal)
    if (signal.aborted) {
      await channel.close()
      signal.throwIfAborted()
    }
    this.#current = channel
    return channel
  }
}
