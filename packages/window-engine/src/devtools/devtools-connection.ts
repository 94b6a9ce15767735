import type { Readable, Writable } from 'node:stream'
import * as z from 'zod/mini'
import type { JsonValue } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import {
  type DevToolsCallName,
  type DevToolsEvent,
  type DevToolsReply,
  devToolsMessageSchema,
  devToolsReplies,
  readDevToolsEvent,
} from './devtools-protocol.ts'

/** Longest message that is taken from the browser, in bytes. */
export const maxDevToolsMessageBytes = 64 * 1024 * 1024

/** Most bytes that may wait for a browser that does not read. */
const maxUnsentBytes = 64 * 1024 * 1024

/** Bounds and place of one call. */
export interface DevToolsCallOptions {
  /** Target to be called; the browser itself when absent. */
  readonly sessionId?: string | undefined
  /** Longest wait in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** The browser refused a call: the target is gone, the document went away, or it does not know the call. */
export class DevToolsCallError extends Error {
  override readonly name = 'DevToolsCallError'
}

interface PendingCall {
  readonly name: DevToolsCallName
  settle(outcome: { readonly result: unknown } | { readonly error: Error }): void
}

/**
 * Speaks the DevTools protocol over two streams: calls with their replies, and events. One connection carries all targets; each has
 * a session id. When the streams end, waiting calls are rejected.
 */
export class DevToolsConnection implements Disposable {
  readonly #input: Readable
  readonly #output: Writable
  readonly #decoder = new DevToolsDecoder(maxDevToolsMessageBytes)
  readonly #pending = new Map<number, PendingCall>()
  readonly #listeners = new Set<(event: DevToolsEvent) => void>()
  #lastId = 0
  #isClosed = false

  /**
   * @param input the browser's output
   * @param output the browser's input
   */
  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
    const end = () => this[Symbol.dispose]()
    input.on('data', (chunk: Buffer) => this.#receive(chunk))
    for (const name of ['end', 'close', 'error']) input.on(name, end)
    for (const name of ['close', 'error']) output.on(name, end)
  }

  /** Calls the browser. */
  call<Name extends DevToolsCallName>(
    name: Name,
    params: { readonly [name: string]: JsonValue } = {},
    options: DevToolsCallOptions = {},
  ): Promise<DevToolsReply<Name>> {
    const { sessionId, timeoutMs = 10_000, signal } = options
    const { promise, resolve, reject } = Promise.withResolvers<DevToolsReply<Name>>()
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#isClosed) return Promise.reject(goneError())
    if (this.#output.writableLength > maxUnsentBytes) return Promise.reject(timeoutError(name))

    const id = ++this.#lastId
    const abort = () => settle({ error: signal?.reason })
    const timer = setTimeout(() => settle({ error: timeoutError(name) }), timeoutMs)
    const settle: PendingCall['settle'] = outcome => {
      if (!this.#pending.delete(id)) return
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if ('error' in outcome) return reject(outcome.error)
      const parsed = (devToolsReplies[name] ?? z.unknown()).safeParse(outcome.result)
      if (parsed.success) resolve(parsed.data as DevToolsReply<Name>)
      else reject(new DevToolsCallError(`The browser answered ${name} in an unknown shape.`))
    }
    signal?.addEventListener('abort', abort, { once: true })
    this.#pending.set(id, { name, settle })
    this.#output.write(`${JSON.stringify({ id, method: name, params, sessionId })}\0`)
    return promise
  }

  /** Adds a listener for every event; the function returned removes it. */
  onEvent(listener: (event: DevToolsEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Ends the connection; every call that waits is rejected. */
  [Symbol.dispose](): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const { settle } of [...this.#pending.values()]) settle({ error: goneError() })
    this.#listeners.clear()
    this.#input.destroy()
    this.#output.destroy()
  }

  #receive(chunk: Buffer): void {
    const { messages, oversized } = this.#decoder.push(chunk)
    for (const start of oversized) {
      const id = Number(/^\{"id":(\d+),/.exec(start)?.[1])
      this.#pending.get(id)?.settle({ error: new DevToolsCallError('The browser’s answer is too long.') })
    }
    for (const text of messages) {
      if (this.#isClosed) return
      this.#handle(text)
    }
  }

  /** Anything but JSON ends the connection. */
  #parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      this[Symbol.dispose]()
      return undefined
    }
  }

  #handle(text: string): void {
    const message = devToolsMessageSchema.safeParse(this.#parse(text)).data
    if (!message) return
    if ('id' in message) {
      const { error, result } = message
      this.#pending
        .get(message.id)
        ?.settle(error ? { error: new DevToolsCallError(error.message) } : { result })
      return
    }
    const event = readDevToolsEvent(message.method, message.params, message.sessionId)
    if (event) for (const listener of this.#listeners) listener(event)
  }
}

function goneError(): EngineError {
  return new EngineError('gone', 'The browser has ended.')
}

function timeoutError(name: string): EngineError {
  return new EngineError('timeout', `The browser did not answer ${name} in time.`)
}

/** Waits for a reply of the browser. */
export async function asEngineError<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await promise
  } catch (error) {
    if (!(error instanceof DevToolsCallError)) throw error
    throw new EngineError(
      'refused',
      'The browser refused what the window was asked. Reload the page, or try again.',
    )
  }
}

/** One page of the browser. */
export class PageTarget {
  readonly connection: DevToolsConnection
  /** Names the page, and its main frame. */
  readonly targetId: string
  readonly sessionId: string

  constructor(connection: DevToolsConnection, targetId: string, sessionId: string) {
    this.connection = connection
    this.targetId = targetId
    this.sessionId = sessionId
  }

  /** Calls the page, as {@link DevToolsConnection.call}. */
  call<Name extends DevToolsCallName>(
    name: Name,
    params: { readonly [name: string]: JsonValue } = {},
    options: Omit<DevToolsCallOptions, 'sessionId'> = {},
  ) {
    return this.connection.call(name, params, { ...options, sessionId: this.sessionId })
  }

  /** Calls the page and ignores a refusal: the page may be gone. */
  tell(name: DevToolsCallName, params: { readonly [name: string]: JsonValue } = {}): void {
    this.call(name, params).catch(() => undefined)
  }
}

/** Result of {@link DevToolsDecoder.push}. */
interface DecodedMessages {
  /** Complete messages, as text. */
  readonly messages: readonly string[]
  /** First characters of the messages that were longer than the limit and are lost. */
  readonly oversized: readonly string[]
}

const terminator = 0
/** Enough of a lost message to read the number of the call that it answers: it comes first. */
const keptOfOversized = 64

/**
 * Cuts the browser's byte stream into messages, each ended by a zero byte. A message above the limit is skipped, never
 * held in memory, and the stream goes on: a page that logs a huge text must not end the window.
 */
export class DevToolsDecoder {
  readonly #maxMessageBytes: number
  #pieces: Buffer[] = []
  #length = 0

  /** @param maxMessageBytes longest message in bytes, without its zero byte */
  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes
  }

  /** Takes the next bytes. The chunk is kept without copying where a message is not complete. */
  push(chunk: Buffer): DecodedMessages {
    const messages: string[] = []
    const oversized: string[] = []
    let start = 0
    while (start < chunk.length) {
      const end = chunk.indexOf(terminator, start)
      this.#keep(chunk.subarray(start, end === -1 ? chunk.length : end))
      if (end === -1) break
      const isTooLong = this.#length > this.#maxMessageBytes
      const text = Buffer.concat(this.#pieces).toString('utf8')
      ;(isTooLong ? oversized : messages).push(text)
      this.#pieces = []
      this.#length = 0
      start = end + 1
    }
    return { messages, oversized }
  }

  #keep(piece: Buffer): void {
    const before = this.#length
    this.#length += piece.length
    if (this.#length <= this.#maxMessageBytes) {
      this.#pieces.push(piece)
    } else if (before <= this.#maxMessageBytes) {
      this.#pieces = [
        Buffer.concat([...this.#pieces, piece.subarray(0, keptOfOversized)]).subarray(0, keptOfOversized),
      ]
    }
  }
}
