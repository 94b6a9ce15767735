import { waitFor } from '@service-link/protocol-core/time'
import type { Channel } from '../connection/channel.ts'
import {
  PipeClosedError,
  PipeNotFoundError,
  PipeNotInstalledError,
  PipeStartError,
} from '../errors/pipe-error.ts'

/** Connects within a time of its own, and may start a wrapper for it. Gives up if the signal aborts. */
type Connect = (signal: AbortSignal, mayStart: boolean) => Promise<Channel>

/** Whether another attempt may fare better than one that was joined, because it starts a wrapper, or starts none. */
function isOfOther(error: unknown, mayStart: boolean): boolean {
  if (mayStart) return error instanceof PipeNotFoundError
  return error instanceof PipeNotInstalledError || error instanceof PipeStartError
}

interface Attempt {
  readonly channel: Promise<Channel>
  readonly mayStart: boolean
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
  readonly #closing = new AbortController()

  /** @param connect connects again. Without it the first channel is the only one */
  constructor(first: Channel, connect: Connect | undefined) {
    this.#current = first
    this.#connect = connect
  }

  /** Aborts when the client disconnects. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }

  get isClosed(): boolean {
    return this.closed.aborted
  }

  get canReconnect(): boolean {
    return this.#connect !== undefined
  }

  /** The channel, also after its end. */
  get current(): Channel {
    return this.#current
  }

  /** Whether a call can use the channel at once. Also true if it cannot connect again: the call then fails by itself. */
  get isReady(): boolean {
    return !this.isClosed && (!this.#connect || this.#current.isOpen)
  }

  /**
   * Waits for a new channel. The attempt goes on when the wait is given up, and the next call joins it.
   *
   * @param mayStart whether a wrapper is started if none runs and the caller of `connectWrapper` wishes that
   */
  async open(signal: AbortSignal, mayStart = true): Promise<Channel> {
    signal.throwIfAborted()
    if (this.isClosed) throw new PipeClosedError(false, undefined, 'disconnected')
    if (!this.#connect) throw new PipeClosedError(false, undefined, 'final')
    const attempt = this.#attempt ?? this.#begin(this.#connect, mayStart)
    this.#attempt = attempt
    try {
      return await waitFor(attempt.channel, signal)
    } catch (error) {
      const isOther = attempt.mayStart !== mayStart && isOfOther(error, mayStart)
      if (!isOther || signal.aborted) throw error
      return this.open(signal, mayStart)
    }
  }

  /** Ends the channel, and the attempt to open another. Opens nothing later. */
  async close(): Promise<void> {
    this.#closing.abort()
    const attempt = this.#attempt
    attempt?.abort.abort(new PipeClosedError(false, undefined, 'disconnected'))
    await attempt?.channel.catch(() => undefined)
    await this.#current.close()
  }

  #begin(connect: Connect, mayStart: boolean): Attempt {
    const abort = new AbortController()
    const channel = this.#replace(connect(abort.signal, mayStart), abort.signal).finally(() => {
      this.#attempt = undefined
    })
    return { channel, mayStart, abort }
  }

  async #replace(connecting: Promise<Channel>, signal: AbortSignal): Promise<Channel> {
    const channel = await connecting
    if (signal.aborted) {
      await channel.close()
      signal.throwIfAborted()
    }
    this.#current = channel
    return channel
  }
}
