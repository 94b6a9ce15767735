import {
  type SessionEvent,
  type SessionEventName,
  type SubscribeReply,
  sessionEventNames,
} from '@service-link/protocol-core'
import type { EventChoice } from '../connection/channel.ts'
import { type PipeError, PipeUnsupportedError } from '../errors/pipe-error.ts'
import { EventQueue } from './event-queue.ts'

/** What {@link EventIterations} needs of its connection. */
export interface EventSource {
  /** Chooses the events of the connection, in place of those chosen before. */
  subscribe(events: readonly SessionEventName[]): Promise<SubscribeReply>
  /** Keeps the process alive until {@link EventSource.release}. */
  hold(): void
  release(): void
}

interface Iteration {
  readonly names: ReadonlySet<SessionEventName>
  /** Those of which none may be unknown to the wrapper, because they were asked for by name. */
  readonly required: readonly SessionEventName[]
  readonly queue: EventQueue<SessionEvent>
}

interface Subscription {
  readonly wanted: readonly SessionEventName[]
  readonly reply: Promise<SubscribeReply>
}

/** All iterations of events over one connection, which has one subscription for all of them together. */
export class EventIterations {
  readonly #source: EventSource
  readonly #running = new Set<Iteration>()
  /** The last one, answered or not; `undefined` when it failed, and what the connection is subscribed to is not known. */
  #subscription: Subscription | undefined = { wanted: [], reply: Promise.resolve({ events: [] }) }
  /** Whether the connection is over, and with what an iteration ends that begins now. */
  #end: { readonly error: PipeError | undefined } | undefined

  constructor(source: EventSource) {
    this.#source = source
  }

  open({ events, maxQueued, signal }: EventChoice): AsyncIterator<SessionEvent, undefined> {
    const abort = () => queue.cut(signal?.reason)
    const queue = new EventQueue<SessionEvent>(maxQueued, () => {
      signal?.removeEventListener('abort', abort)
      if (!this.#running.delete(iteration)) return
      this.#source.release()
      this.#subscribe()
    })
    const iteration: Iteration = {
      names: new Set(events ?? sessionEventNames),
      required: events ?? [],
      queue,
    }
    if (signal?.aborted) abort()
    else if (this.#end) queue.end(this.#end.error)
    else {
      signal?.addEventListener('abort', abort, { once: true })
      this.#running.add(iteration)
      this.#source.hold()
      this.#subscribe(iteration)
    }
    return {
      next: () => queue.next(),
      return: async () => {
        queue.cut()
        return { done: true, value: undefined }
      },
    }
  }

  deliver(event: SessionEvent): void {
    for (const { names, queue } of this.#running) if (names.has(event.event)) queue.push(event)
    if (event.event === 'closing') this.end(undefined)
  }

  /** Ends all, and those that begin later. */
  end(error: PipeError | undefined): void {
    if (this.#end) return
    this.#end = { error }
    for (const { queue } of this.#running) queue.end(error)
  }

  /** @param asking what has just begun, and ends when it is not subscribed; others go on with what they were told before */
  #subscribe(asking?: Iteration): void {
    if (this.#end) return
    const wanted = this.#wanted()
    const subscription = this.#subscriptionTo(wanted)
    this.#subscription = subscription
    subscription.reply.then(
      ({ events }) => {
        const missing = asking?.required.find(name => !events.includes(name))
        if (missing !== undefined) asking?.queue.end(new PipeUnsupportedError(`The event ${missing}`))
      },
      error => {
        if (this.#subscription === subscription) this.#subscription = undefined
        asking?.queue.end(error)
      },
    )
  }

  #subscriptionTo(wanted: readonly SessionEventName[]): Subscription {
    const last = this.#subscription
    if (last && wanted.join() === last.wanted.join()) return last
    return { wanted, reply: this.#source.subscribe(wanted) }
  }

  #wanted(): readonly SessionEventName[] {
    if (this.#running.size === 0) return []
    return sessionEventNames.filter(
      // The end in peace is told by an event, whether it was asked for or not.
      name => name === 'closing' || [...this.#running].some(({ names }) => names.has(name)),
    )
  }
}
