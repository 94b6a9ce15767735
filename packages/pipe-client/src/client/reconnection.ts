import { waitFor } from '@service-link/protocol-core/time'
import type { Channel } from '../connection/channel.ts'
import { PipeClosedError } from '../errors/pipe-error.ts'

/** Connects within a time of its own. Gives up if the signal aborts. */
type Connect = (signal: AbortSignal) => Promise<Channel>

interface Attempt {
  readonly channel: Promise<Channel>
  readonly abort: AbortController
}

/**
 * The channel of a client, and a new one after its end. All calls that need a new one share one attempt to connect. The
 * attempt has limits of its own: it may start a wrapper, which an impatient call must not end.
 */
export class Reconnection {
  #current: Channel
  readonly #connect: Connect | undefined
  #attempt: Attempt | undefined
  #isClosed = false

  /** @param connect connects again. Without it the first channel is the only one */
  constructor(first: Channel, connect: Connect | undefined) {
    this.#current = first
    this.#connect = connect
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The channel, also after its end. */
  get current(): Channel {
    return this.#current
  }

  /** Whether a call can use the channel at once. Also true if it cannot connect again: the call then fails by itself. */
  get isReady(): boolean {
    return !this.#isClosed && (!this.#connect || this.#current.isOpen)
  }

  /** Waits for a new channel. The attempt goes on when the wait is given up, and the next call joins it. */
  async open(signal: AbortSignal): Promise<Channel> {
    signal.throwIfAborted()
    if (this.#isClosed || !this.#connect) throw new PipeClosedError(false, undefined, true)
    this.#attempt ??= this.#begin(this.#connect)
    return waitFor(this.#attempt.channel, signal)
  }

  /** Ends the channel, and the attempt to open another. Opens nothing later. */
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
