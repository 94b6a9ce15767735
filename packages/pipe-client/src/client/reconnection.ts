import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { Channel } from '../connection/channel.ts'
import { boundTimeout } from '../connection/timeout.ts'
import { PipeClosedError } from '../errors/pipe-error.ts'

/** Connects, in a time of its own, giving up when the signal is aborted. */
export type Connect = (signal: AbortSignal) => Promise<Channel>

interface Attempt {
  readonly channel: Promise<Channel>
  readonly abort: AbortController
}

/**
 * The channel of a client: the one it has, or a new one once that has ended. Calls that need one at a time share the attempt to
 * connect, which has bounds of its own: it may be starting a wrapper, which no call that was impatient shall end.
 */
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

  get isClosed(): boolean {
    return this.#isClosed
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
   * Waits for a channel. The attempt to open one goes on when the wait is given up, and the next call joins it.
   *
   * @throws {PipeClosedError} when this was closed
   * @throws {PipeTimeoutError} when the time is over
   * @throws the signal's reason when it is aborted
   * @throws whatever connecting throws
   */
  async open(bounds: CallBounds): Promise<Channel> {
    const timeoutMs = boundTimeout(bounds.timeoutMs)
    bounds.signal?.throwIfAborted()
    if (this.#isClosed || !this.#connect) throw new PipeClosedError(false, undefined, true)
    this.#attempt ??= this.#begin(this.#connect)
    return awaitWithin(this.#attempt.channel, { ...bounds, timeoutMs })
  }

  /** Ends the channel, and the attempt to open another with whatever that has begun. Nothing is opened after it. */
  async close(): Promise<void> {
    this.#isClosed = true
    const attempt = this.#attempt
    attempt?.abort.abort(new PipeClosedError(false, undefined, true))
    await attempt?.channel.catch(() => undefined)
    await this.#current.close()
  }

  #begin(connect: Connect): Attempt {
    const abort = new AbortController()
    const channel = this.#replace(connect, abort.signal).finally(() => {
      this.#attempt = undefined
    })
    // It is told to those who wait; there may be none left.
    channel.catch(() => {})
    return { channel, abort }
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
