import type { SessionEvent } from '@service-link/protocol-core'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { Channel, EventChoice } from '../connection/channel.ts'
import { eitherSignal } from '../connection/either-signal.ts'

type Events = AsyncIterator<SessionEvent, undefined>

/** How the channel comes about. */
export interface ChannelSource {
  /** Whether nobody is to be told any more: what is open ends in peace. */
  readonly isClosed: boolean
  open(bounds: CallBounds): Promise<Channel>
}

/** The events of a channel that is still to be opened. */
export class LaterEvents implements Events {
  readonly #source: ChannelSource
  readonly #wasClosed: boolean
  readonly #givenUp = new AbortController()
  readonly #events: Promise<Events | undefined>

  /** @param timeoutMs for opening, in milliseconds */
  constructor(source: ChannelSource, choice: EventChoice, timeoutMs: number) {
    this.#source = source
    this.#wasClosed = source.isClosed
    this.#events = this.#open(choice, timeoutMs)
    // It is thrown by the next read, if there is one.
    this.#events.catch(() => {})
  }

  async next(): Promise<IteratorResult<SessionEvent, undefined>> {
    const events = await this.#events
    return events ? events.next() : { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<SessionEvent, undefined>> {
    this.#givenUp.abort()
    const events = await this.#events.catch(() => undefined)
    await events?.return?.()
    return { done: true, value: undefined }
  }

  async #open(choice: EventChoice, timeoutMs: number): Promise<Events | undefined> {
    const givenUp = this.#givenUp.signal
    using either = eitherSignal(givenUp, choice.signal ?? givenUp)
    try {
      const channel = await this.#source.open({ timeoutMs, spentMs: 0, signal: either.signal })
      return givenUp.aborted ? undefined : channel.openEvents(choice)
    } catch (error) {
      if (givenUp.aborted) return undefined
      const endsInPeace = this.#source.isClosed && !this.#wasClosed && !choice.signal?.aborted
      if (!endsInPeace) throw error
      return undefined
    }
  }
}
