import type { EventChoice } from '../connection/channel.ts'
import { LaterEvents } from './later-events.ts'
import { readEvent } from './read-session-values.ts'
import type { Reconnection } from './reconnection.ts'
import type { WrapperEvent } from './wrapper-client.ts'

/**
 * Begins an iteration of events: at once where there is a connection, else after connecting again.
 *
 * @param timeoutMs for connecting again, in milliseconds
 */
export function iterateEvents(
  connection: Reconnection,
  choice: EventChoice,
  timeoutMs: number,
): AsyncIterator<WrapperEvent, undefined> {
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
