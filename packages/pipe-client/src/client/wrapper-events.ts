import type { EndReason, PersonInFocus, SessionEvent, SessionStatus } from '@service-link/protocol-core'
import { Deadline, type LimitingSignal } from '@service-link/protocol-core/time'
import type { EventChoice } from '../connection/channel.ts'
import { PipeTimeoutError } from '../errors/pipe-error.ts'
import type { Reconnection } from './reconnection.ts'
import type { FocusedPerson, WrapperEvent, WrapperEventType, WrapperStatus } from './wrapper-client.ts'

type SessionEvents = AsyncIterator<SessionEvent, undefined>

/** Begins an iteration of events: at once if there is a connection, else after connecting again. */
export function iterateEvents<Type extends WrapperEventType>(
  connection: Reconnection,
  choice: EventChoice,
  timeoutMs: number,
): AsyncIterator<Extract<WrapperEvent, { type: Type }>, undefined> {
  const inner = connection.isReady
    ? connection.current.openEvents(choice)
    : new LaterEvents(connection, choice, timeoutMs)
  return {
    async next() {
      const { done, value } = await inner.next()
      return done
        ? { done, value: undefined }
        : { done: false, value: readEvent(value) as Extract<WrapperEvent, { type: Type }> }
    },
    async return() {
      await inner.return?.()
      return { done: true, value: undefined }
    },
  }
}

/** The events of a channel that is opened first. */
class LaterEvents implements SessionEvents {
  readonly #connection: Reconnection
  readonly #wasClosed: boolean
  readonly #limit: LimitingSignal
  #isGivenUp = false
  readonly #events: Promise<SessionEvents | undefined>

  constructor(connection: Reconnection, choice: EventChoice, timeoutMs: number) {
    this.#connection = connection
    this.#wasClosed = connection.isClosed
    const deadline = new Deadline(timeoutMs, choice.signal)
    this.#limit = deadline.limit(() => new PipeTimeoutError(deadline.timeoutMs, false))
    this.#events = this.#open(choice)
    // The next read throws the failure, if there is one.
    this.#events.catch(() => {})
  }

  async next(): Promise<IteratorResult<SessionEvent, undefined>> {
    const events = await this.#events
    return events ? events.next() : { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<SessionEvent, undefined>> {
    this.#isGivenUp = true
    this.#limit.abort(undefined)
    const events = await this.#events.catch(() => undefined)
    await events?.return?.()
    return { done: true, value: undefined }
  }

  async #open(choice: EventChoice): Promise<SessionEvents | undefined> {
    try {
      const channel = await this.#connection.open(this.#limit.signal)
      return this.#isGivenUp ? undefined : channel.openEvents(choice)
    } catch (error) {
      const wasDisconnected = this.#connection.isClosed && !this.#wasClosed && !choice.signal?.aborted
      if (this.#isGivenUp || wasDisconnected) return undefined
      throw error
    } finally {
      // Not `using`: what a build writes for it is 0.9 kB of each client's bundle.
      this.#limit[Symbol.dispose]()
    }
  }
}

function readEvent(event: SessionEvent): WrapperEvent {
  switch (event.event) {
    case 'personselected':
      return { type: 'personselected', person: readPerson(event.data), ...readNumber(event.data) }
    case 'personcleared':
      return { type: 'personcleared', ...readReason(event.data), ...readNumber(event.data) }
    case 'signedout':
      return { type: 'signedout', ...readReason(event.data) }
    case 'workoutopened':
      return { type: 'workoutopened', id: event.data.id }
    default:
      return { type: event.event }
  }
}

export function readStatus(status: SessionStatus): WrapperStatus {
  const { loaded, signedin, person } = status
  return {
    isLoaded: loaded,
    isSignedIn: signedin,
    ...(person ? { person: readPerson(person) } : {}),
    ...readNumber(status),
  }
}

function readNumber({ focusNumber }: Pick<SessionStatus, 'focusNumber'>) {
  return typeof focusNumber === 'number' ? { focusNumber } : {}
}

function readReason({ reason }: { readonly reason?: EndReason | undefined }) {
  return reason === undefined ? {} : { reason }
}

/** Leaves out what a wrapper does not know, or adds. */
function readPerson({ userId, customId, firstname, lastname }: PersonInFocus): FocusedPerson {
  return {
    ...(typeof userId === 'number' ? { userId } : {}),
    ...(typeof customId === 'string' ? { customId } : {}),
    ...(typeof firstname === 'string' ? { firstname } : {}),
    ...(typeof lastname === 'string' ? { lastname } : {}),
  }
}
