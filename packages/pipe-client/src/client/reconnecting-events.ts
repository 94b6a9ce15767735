import { Deadline, growingPause, maxTimerMs, pause } from '@service-link/protocol-core/time'
import type { Channel, EventChoice } from '../connection/channel.ts'
import { PipeError, PipeNotFoundError, PipeRefusedError, PipeTimeoutError } from '../errors/pipe-error.ts'
import type { Reconnection } from './reconnection.ts'
import type { WrapperEvent, WrapperReconnected } from './wrapper-client.ts'
import { iterateEvents, readStatus } from './wrapper-events.ts'

type Item = WrapperEvent | WrapperReconnected

/** Pauses between two attempts, in milliseconds. They grow until an event arrives. */
const pauses = { firstMs: 100, longestMs: 5_000 }

interface FirstEvents {
  readonly channel: Channel
  readonly events: AsyncIterator<WrapperEvent, undefined>
}

/** Limits of {@link ReconnectingEvents}, in milliseconds. */
interface ReconnectingLimits {
  /** For a connection and for each question. */
  readonly timeoutMs: number
  /** For connecting again, all attempts together. */
  readonly reconnectMs: number | undefined
}

/**
 * Events of one wrapper after the other. After the end of a connection it waits for the wrapper that runs next, and tells that as an
 * item. It starts no wrapper: the user may have closed it.
 */
export class ReconnectingEvents implements AsyncIterator<Item, undefined> {
  readonly #connection: Reconnection
  readonly #choice: EventChoice
  readonly #limits: ReconnectingLimits
  /** Aborts when the caller leaves the loop, or disconnects. */
  readonly #stop = new AbortController()
  readonly #onClose = () => this.#stop.abort()
  #events: AsyncIterator<WrapperEvent, undefined>
  /** The channel of the events; `undefined` if they may go on with the present one. */
  #channel: Channel | undefined
  #attemptCount = 0
  #lastRead: Promise<unknown> = Promise.resolve()
  #isOver = false

  /** @param first the events of the first channel */
  constructor(first: FirstEvents, connection: Reconnection, choice: EventChoice, limits: ReconnectingLimits) {
    this.#connection = connection
    this.#choice = choice
    this.#limits = limits
    this.#events = first.events
    this.#channel = first.channel
    connection.closed.addEventListener('abort', this.#onClose)
  }

  /** Reads that overlap get their items in order. */
  next(): Promise<IteratorResult<Item, undefined>> {
    const read = this.#lastRead.then(() => this.#read())
    this.#lastRead = read.catch(() => undefined)
    return read
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#finish()
    this.#stop.abort()
    await this.#events.return?.()
    return { done: true, value: undefined }
  }

  #finish(): void {
    this.#isOver = true
    this.#connection.closed.removeEventListener('abort', this.#onClose)
  }

  async #read(): Promise<IteratorResult<Item, undefined>> {
    try {
      const value = this.#isOver ? undefined : ((await this.#readEvent()) ?? (await this.#reconnect()))
      if (value) return { done: false, value }
    } catch (error) {
      const isEnded = this.#isOver || this.#connection.isClosed
      this.#finish()
      if (!isEnded || this.#choice.signal?.aborted) throw error
    }
    this.#finish()
    return { done: true, value: undefined }
  }

  /** Returns nothing when the connection has ended. */
  async #readEvent(): Promise<WrapperEvent | undefined> {
    try {
      const { value } = await this.#events.next()
      if (value) this.#attemptCount = 0
      return value
    } catch (error) {
      if (!this.#mayPass(error)) throw error
      // The subscription was not answered in time. The connection may be good.
      if (error instanceof PipeTimeoutError) this.#channel = undefined
      return undefined
    }
  }

  /** Returns nothing when the caller has left the loop, or disconnected. */
  async #reconnect(): Promise<WrapperReconnected | undefined> {
    const { reconnectMs = maxTimerMs } = this.#limits
    const deadline = new Deadline(reconnectMs, this.#choice.signal)
    const tooLate = () => new PipeTimeoutError(reconnectMs, false, 'There was no wrapper to connect to again')
    const limit = deadline.limit(tooLate, this.#stop.signal)
    try {
      for (;;) {
        if (this.#stop.signal.aborted) return undefined
        await pause(growingPause(this.#attemptCount++, pauses), limit.signal)
        const item = await this.#tryAgain(limit.signal)
        if (item) return item
      }
    } finally {
      limit[Symbol.dispose]()
    }
  }

  async #tryAgain(signal: AbortSignal): Promise<WrapperReconnected | undefined> {
    const { current } = this.#connection
    // After `closing` the connection stays for some seconds.
    if (current === this.#channel && current.isOpen) return undefined
    try {
      const channel = current.isOpen ? current : await this.#connection.open(signal, false)
      this.#channel = channel
      this.#events = iterateEvents(this.#connection, this.#choice, this.#limits.timeoutMs)
      // It is answered after the subscription.
      const asked = channel.request('status', undefined, new Deadline(this.#limits.timeoutMs, signal))
      return { type: 'reconnected', wrapper: channel.wrapper, status: readStatus(await asked) }
    } catch (error) {
      await this.#events.return?.()
      this.#channel = undefined
      signal.throwIfAborted()
      if (!this.#mayPass(error)) throw error
      return undefined
    }
  }

  /** Whether waiting may help. The process of a given `pid` does not come back. */
  #mayPass(error: unknown): boolean {
    if (!(error instanceof PipeError) || this.#choice.signal?.aborted) return false
    if (error instanceof PipeNotFoundError) return error.pid === undefined
    if (error instanceof PipeRefusedError)
      return error.commandCode === 'ERR_BUSY' || error.commandCode === 'ERR_CLOSING'
    return error.code === 'ERR_PIPE_CLOSED' || error.code === 'ERR_PIPE_TIMEOUT' || error.shouldRetry
  }
}
