import type { SessionEvent } from '@service-link/protocol-core'
import type { EventChoice } from '../connection/channel.ts'
import { eitherSignal } from '../connection/either-signal.ts'
import { readEvent } from './read-session-values.ts'
import type { Reconnection } from './reconnection.ts'
import type { WrapperEvent } from './wrapper-client.ts'

type Events<Event> = AsyncIterator<Event, undefined>

/**
 * Begins an iteration of events: at once where there is a connection, else after connecting again.
 *
 * @param timeoutMs for connecting again, in milliseconds
 */
export function iterateEvents(
  connection: Reconnection,
  choice: EventChoice,
  timeoutMs: number,
): Events<WrapperEvent> {
  const inner = connection.isReady
    ? connection.current.openEvents(choice)
    : new LaterEvents(connection, choice, timeoutMs)
  return {
    async next() {
      const { done, value } = await inner.next()
      return done ? { done, value: undefined } : { done: false, value: readEvent(value) }
    },
    async return() {
      await inner.return?.()
      return { done: true, value: undefined }
    },
  }
}

/** The events of a channel that is still to be opened. */
class LaterEvents implements Events<SessionEvent> {
  readonly #givenUp = new AbortController()
  readonly #events: Promise<Events<SessionEvent> | undefined>

  constructor(connection: Reconnection, choice: EventChoice, timeoutMs: number) {
    this.#events = this.#open(connection, choice, timeoutMs)
    // It is thrown by the next read, if there is one.
    this.#events.catch(() => {})
  }

  async next(): Promise<IteratorResult<SessionEvent, undefined>> {
    try {
      const events = await this.#events
      if (events) return await events.next()
    } catch (error) {
      if (!this.#givenUp.signal.aborted) throw error
    }
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<SessionEvent, undefined>> {
    this.#givenUp.abort()
    const events = await this.#events.catch(() => undefined)
    await events?.return?.()
    return { done: true, value: undefined }
  }

  async #open(connection: Reconnection, choice: EventChoice, timeoutMs: number) {
    const givenUp = this.#givenUp.signal
    using either = eitherSignal(givenUp, choice.signal ?? givenUp)
    const channel = await connection.open({ timeoutMs, spentMs: 0, signal: either.signal })
    return givenUp.aborted ? undefined : channel.openEvents(choice)
  }
}
