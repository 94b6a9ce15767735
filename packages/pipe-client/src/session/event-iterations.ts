import type { SessionEvent, SubscribeReply } from '@service-link/protocol-core'
import { type SessionEventName, sessionEventNames } from '@service-link/protocol-core'
import type { EventChoice } from '../connection/channel.ts'
import { type PipeError, PipeOverflowError, PipeUnsupportedError } from '../errors/pipe-error.ts'

/** The connection of {@link EventIterations}. */
interface EventSource {
  /** Replaces the subscription of the connection. */
  subscribe(events: readonly SessionEventName[]): Promise<SubscribeReply>
  /** Keeps the process alive until {@link EventSource.release}. */
  hold(): void
  release(): void
}

interface Iteration {
  readonly names: ReadonlySet<SessionEventName>
  /** Events that the caller named. The wrapper must know them. */
  readonly required: readonly SessionEventName[]
  readonly queue: EventQueue
}

/** All iterations of events over one connection, which subscribes to all events while one iteration runs. */
export class EventIterations {
  readonly #source: EventSource
  readonly #running = new Set<Iteration>()
  #subscription: Promise<SubscribeReply> | undefined
  /** Set when the connection has ended. Later iterations end with the error. */
  #end: { readonly error: PipeError | undefined } | undefined

  constructor(source: EventSource) {
    this.#source = source
  }

  open({ events, maxQueued, signal }: EventChoice): AsyncIterator<SessionEvent, undefined> {
    const abort = () => queue.cut(signal?.reason)
    const queue = new EventQueue(maxQueued, () => {
      signal?.removeEventListener('abort', abort)
      if (!this.#running.delete(iteration)) return
      this.#source.release()
      if (this.#running.size === 0) this.#unsubscribe()
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

  /** Ends all iterations, also later ones. */
  end(error: PipeError | undefined): void {
    if (this.#end) return
    this.#end = { error }
    for (const { queue } of this.#running) queue.end(error)
  }

  #subscribe({ required, queue }: Iteration): void {
    this.#subscription ??= this.#source.subscribe(sessionEventNames)
    this.#subscription.then(
      ({ events }) => {
        const missing = required.find(name => !events.includes(name))
        if (missing !== undefined) queue.end(new PipeUnsupportedError(`The event ${missing}`))
      },
      error => {
        this.#subscription = undefined
        queue.end(error)
      },
    )
  }

  #unsubscribe(): void {
    if (!this.#subscription || this.#end) return
    this.#subscription = undefined
    this.#source.subscribe([]).catch(() => {})
  }
}

interface Reader {
  readonly resolve: (result: IteratorResult<SessionEvent, undefined>) => void
  readonly reject: (reason: unknown) => void
}

/** The unread events of one iteration, in order and bounded, and its end. */
class EventQueue {
  readonly #maxQueued: number
  readonly #onEnd: () => void
  #unread: SessionEvent[] = []
  /** Reads that wait for an event. */
  readonly #readers: Reader[] = []
  /** Set at the end, with the error for the next read. */
  #end: { readonly error: unknown } | undefined

  /** @param onEnd called once, when the queue takes no further event */
  constructor(maxQueued: number, onEnd: () => void) {
    this.#maxQueued = maxQueued
    this.#onEnd = onEnd
  }

  /** Takes an event. One too many ends the iteration after the unread events. */
  push(value: SessionEvent): void {
    if (this.#end) return
    const reader = this.#readers.shift()
    if (reader) reader.resolve({ done: false, value })
    else if (this.#unread.length < this.#maxQueued) this.#unread.push(value)
    else this.end(new PipeOverflowError(this.#maxQueued))
  }

  /** Ends after the unread events, with or without an error. */
  end(error?: unknown): void {
    if (this.#end) return
    this.#end = { error }
    for (const reader of this.#readers.splice(0)) this.#finish(reader)
    this.#onEnd()
  }

  /** Ends at once, and drops the unread events. */
  cut(error?: unknown): void {
    this.#unread = []
    if (this.#end) this.#end = { error: undefined }
    this.end(error)
  }

  next(): Promise<IteratorResult<SessionEvent, undefined>> {
    return new Promise((resolve, reject) => {
      const value = this.#unread.shift()
      if (value !== undefined) resolve({ done: false, value })
      else if (this.#end) this.#finish({ resolve, reject })
      else this.#readers.push({ resolve, reject })
    })
  }

  /** Throws the error once. Later reads get the end. */
  #finish({ resolve, reject }: Reader): void {
    const error = this.#end?.error
    this.#end = { error: undefined }
    if (error === undefined) resolve({ done: true, value: undefined })
    else reject(error)
  }
}
