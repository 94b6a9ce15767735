import { ServiceLinkError } from '@service-link/protocol-core'
import { Deadline } from '@service-link/protocol-core/time'
import type { JsonValue } from '@service-link/window-engine'
import type { HandlerName } from '../web-app/page/messages.ts'

/** A call of one handler of the web app. */
export interface HandlerCall {
  readonly handler: HandlerName
  /** The handler's arguments: the person for `selectPerson`, else those of the command table. */
  readonly args: JsonValue
}

/** Options of {@link CallLog.next}. */
export interface NextCallOptions {
  /** Longest wait in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** No command reached the web app in time. */
export class NoCallError extends ServiceLinkError<'ERR_NO_CALL'> {
  readonly code = 'ERR_NO_CALL'
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(`No command reached the web app within ${waitedMs} ms.`)
    this.waitedMs = waitedMs
  }
}

/** The calls of the web app's handlers, in order. */
export class CallLog {
  readonly #calls: HandlerCall[] = []
  readonly #waiting: ((call: HandlerCall) => void)[] = []
  #taken = 0

  get calls(): readonly HandlerCall[] {
    return [...this.#calls]
  }

  add(call: HandlerCall): void {
    this.#calls.push(call)
    const waiting = this.#waiting.shift()
    if (!waiting) return
    this.#taken += 1
    waiting(call)
  }

  /** Returns the first call that it has not returned before, or waits for it. */
  async next({ timeoutMs = 10_000, signal }: NextCallOptions = {}): Promise<HandlerCall> {
    signal?.throwIfAborted()
    const present = this.#calls[this.#taken]
    if (present) {
      this.#taken += 1
      return present
    }
    const { promise, resolve } = Promise.withResolvers<HandlerCall>()
    this.#waiting.push(resolve)
    try {
      return await new Deadline(timeoutMs, signal).waitFor(promise, () => new NoCallError(timeoutMs))
    } finally {
      const index = this.#waiting.indexOf(resolve)
      if (index >= 0) this.#waiting.splice(index, 1)
    }
  }
}
