import { Deadline, growingPause, pause } from '@service-link/protocol-core/time'
import type { Channel, EventChoice } from '../connection/channel.ts'
import { PipeError, PipeNotFoundError, PipeRefusedError, PipeTimeoutError } from '../errors/pipe-error.ts'
import type { Reconnection } from './reconnection.ts'
import type { WrapperEvent, WrapperReconnected } from './wrapper-client.ts'
import { iterateEvents, readStatus } from './wrapper-events.ts'

type Items = AsyncGenerator<WrapperEvent | WrapperReconnected, undefined>

/** Pauses between two attempts, in milliseconds. They grow until an event arrives. */
const pauses = { firstMs: 100, longestMs: 5_000 }

/**
 * Tells the events of one wrapper after the other. After the end of a connection it waits for the wrapper that runs next, and tells
 * that as an item. It starts no wrapper: the user may have closed it.
 *
 * @param first the events of the first channel
 * @param timeoutMs for a subscription and for each question, in milliseconds
 */
export function reconnectingEvents(
  first: { readonly channel: Channel; readonly events: AsyncIterator<WrapperEvent, undefined> },
  connection: Reconnection,
  choice: EventChoice,
  timeoutMs: number,
): Pick<Items, 'next'> & { return(): Promise<IteratorResult<never, undefined>> } {
  const left = new AbortController()
  /** Aborts when the caller leaves the loop, or disconnects. */
  const stopped = AbortSignal.any([left.signal, connection.closed])
  const signal = choice.signal ? AbortSignal.any([stopped, choice.signal]) : stopped
  let { events } = first
  /** The channel of the events; `undefined` if they may go on with the present one. */
  let channel: Channel | undefined = first.channel
  let attemptCount = 0

  async function* iterate(): Items {
    try {
      for (;;) yield (await readEvent()) ?? (await reconnect())
    } catch (error) {
      if (!stopped.aborted || choice.signal?.aborted) throw error
      return undefined
    }
  }

  /** Returns nothing when the connection has ended. */
  async function readEvent(): Promise<WrapperEvent | undefined> {
    try {
      const { value } = await events.next()
      if (value) attemptCount = 0
      return value
    } catch (error) {
      if (!mayPass(error)) throw error
      // The subscription was not answered in time. The connection may be good.
      if (error instanceof PipeTimeoutError) channel = undefined
      return undefined
    }
  }

  async function reconnect(): Promise<WrapperReconnected> {
    for (;;) {
      await pause(growingPause(attemptCount++, pauses), signal)
      const item = await tryAgain()
      if (item) return item
    }
  }

  async function tryAgain(): Promise<WrapperReconnected | undefined> {
    const { current } = connection
    // After `closing` the connection stays for some seconds.
    if (current === channel && current.isOpen) return undefined
    try {
      channel = current.isOpen ? current : await connection.open(signal, false)
      events = iterateEvents(connection, choice, timeoutMs)
      // It is answered after the subscription.
      const asked = channel.request('status', undefined, new Deadline(timeoutMs, signal))
      return { type: 'reconnected', wrapper: channel.wrapper, status: readStatus(await asked) }
    } catch (error) {
      await events.return?.()
      channel = undefined
      signal.throwIfAborted()
      if (!mayPass(error)) throw error
      return undefined
    }
  }

  /** Whether waiting may help. The process of a given `pid` does not come back. */
  function mayPass(error: unknown): boolean {
    if (!(error instanceof PipeError) || choice.signal?.aborted) return false
    if (error instanceof PipeNotFoundError) return error.pid === undefined
    if (error instanceof PipeRefusedError)
      return error.commandCode === 'ERR_BUSY' || error.commandCode === 'ERR_CLOSING'
    return error.code === 'ERR_PIPE_CLOSED' || error.code === 'ERR_PIPE_TIMEOUT' || error.shouldRetry
  }

  const items = iterate()
  return {
    next: () => items.next(),
    async return() {
      left.abort()
      await events.return?.()
      await items.return(undefined)
      return { done: true, value: undefined }
    },
  }
}
