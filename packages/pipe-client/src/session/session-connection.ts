import type { Socket } from 'node:net'
import {
  encodeFrame,
  FrameDecoder,
  isServiceLinkError,
  maxReplyFrameBytes,
  maxRequestFrameBytes,
  readSessionMessage,
  type SessionCallName,
  type SessionEvent,
  type SessionMessage,
  type SessionResult,
  writeSessionRequest,
} from '@service-link/protocol-core'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { CallArgs } from '../connection/channel.ts'
import { missingTurn } from '../connection/slots.ts'
import { boundTimeout } from '../connection/timeout.ts'
import {
  PipeClosedError,
  type PipeError,
  PipeRefusedError,
  PipeReplyError,
  PipeTimeoutError,
} from '../errors/pipe-error.ts'
import { type Call, isCommand } from './call.ts'
import { DeadlineTimer } from './deadline-timer.ts'
import { PendingCalls } from './pending-calls.ts'
import { readEarlyRefusal } from './read-early-refusal.ts'
import { readResult } from './read-result.ts'

/** Above it, in bytes, calls wait here until the wrapper has read what was written. */
const maxUnsentBytes = 1024 * 1024

/** Longest time, in milliseconds, that a wrapper may have only calls that were given up, and room for no other. */
const stuckMs = 10_000

const requestLimit = { maxFrameBytes: maxRequestFrameBytes }

/** How a connection is used. */
export interface SessionConnectionOptions {
  /** Most commands that are with the wrapper at a time. */
  readonly maxInFlight: number
  /** Whether there will be no other when this one is lost. */
  readonly isOnly: boolean
}

/** Who is told what a connection has besides replies. */
export interface SessionListener {
  onEvent(event: SessionEvent): void
  /** Called once, when no call can be made any more. */
  onEnd(error: PipeError): void
}

/**
 * One connection in session mode (design: pipe protocol): any number of calls, of which a bounded number is with the
 * wrapper; the others wait in the order of the calls, except those that the wrapper answers at once. What is written within one
 * turn of the event loop leaves in one write. Keeps the process alive while somebody waits for something. Ends when the wrapper has
 * had only calls that were given up, and no room for another, for 10 seconds.
 */
export class SessionConnection {
  readonly #socket: Socket
  readonly #listener: SessionListener
  readonly #decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
  readonly #timer = new DeadlineTimer(nowMs => this.#expire(nowMs))
  readonly #calls: PendingCalls
  readonly #isOnly: boolean
  #lastId = 0
  #holdCount = 0
  #isFlushDue = false
  #hasReceived = false
  #end: ((wasSent: boolean) => PipeError) | undefined
  /** The operating system's name of what broke the connection. */
  #systemCode: string | undefined

  /** @param socket an open connection, of which this becomes the owner; all that it reads is given to {@link receive} */
  constructor(socket: Socket, { maxInFlight, isOnly }: SessionConnectionOptions, listener: SessionListener) {
    this.#socket = socket
    this.#calls = new PendingCalls(maxInFlight)
    this.#isOnly = isOnly
    this.#listener = listener
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      this.#systemCode = code
    })
    socket.on('close', () => this.#lose())
    socket.on('end', () => this.#lose())
    socket.on('drain', () => this.#flush())
    socket.unref()
    if (socket.destroyed) this.#lose()
  }

  get isOpen(): boolean {
    return this.#end === undefined
  }

  /** Lowers the bound on commands that are with the wrapper. */
  limitInFlight(maxInFlight: number): void {
    this.#calls.limit(maxInFlight)
  }

  /** Makes one call. Rejects as `WrapperClient` says. */
  request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    { timeoutMs: limitMs, spentMs, signal }: CallBounds,
  ): Promise<SessionResult<Name>> {
    return new Promise((resolve, reject) => {
      if (this.#end) throw this.#end(false)
      signal?.throwIfAborted()
      const timeoutMs = boundTimeout(limitMs)
      if (spentMs > 0 && spentMs >= timeoutMs) throw new PipeTimeoutError(timeoutMs, false)
      const id = ++this.#lastId
      const call: Call = {
        id,
        name,
        isCommand: isCommand(name),
        frame: encodeFrame(writeSessionRequest(id, name, args), requestLimit),
        timeoutMs,
        deadlineMs: performance.now() + timeoutMs - spentMs,
        signal,
        resolve: resolve as (result: unknown) => void,
        reject,
        abort: undefined,
        isGivenUp: false,
      }
      if (signal) {
        call.abort = () => this.#giveUp(call, signal.reason)
        signal.addEventListener('abort', call.abort, { once: true })
      }
      this.#calls.add(call)
      this.#timer.watch(call.deadlineMs)
      this.hold()
      this.#flushSoon()
    })
  }

  /** Keeps the process alive until {@link release} is called as often. */
  hold(): void {
    if (this.#holdCount++ === 0) this.#socket.ref()
  }

  release(): void {
    if (--this.#holdCount === 0) this.#socket.unref()
  }

  /** Takes what was read. Keeps nothing of the buffer. */
  receive(bytes: Uint8Array): void {
    if (this.#end) return
    try {
      for (const body of this.#decoder.push(bytes)) {
        const message = this.#read(body)
        if (message) this.#take(message)
        if (this.#end) return
      }
      if (this.#decoder.failure) this.#break()
    } catch (error) {
      if (!isServiceLinkError(error)) throw error
      this.#break()
    }
  }

  /** Ends the connection for good; what is pending rejects. */
  close(): void {
    this.#endWith(wasSent => new PipeClosedError(wasSent, this.#systemCode, true), true)
  }

  #lose(): void {
    this.#endWith(wasSent => new PipeClosedError(wasSent, this.#systemCode, this.#isOnly))
  }

  #read(body: Uint8Array): SessionMessage | undefined {
    const isFirst = !this.#hasReceived
    this.#hasReceived = true
    try {
      return readSessionMessage(body)
    } catch (error) {
      const refusal = isFirst ? readEarlyRefusal(body) : undefined
      if (!refusal) throw error
      this.#endWith(() => refusal)
      return undefined
    }
  }

  #take(message: SessionMessage): void {
    if (message.type === 'event') this.#listener.onEvent(message.event)
    if (message.type === 'event' || message.type === 'unknown-event') return
    const { id } = message
    const call = typeof id === 'number' ? this.#calls.takeAnswered(id) : undefined
    if (call) {
      if (!call.isGivenUp) this.#answer(call, message)
      if (this.#calls.hasQueued()) this.#flushSoon()
    } else if (this.#calls.isStray(id)) this.#break()
  }

  #answer(call: Call, message: Extract<SessionMessage, { id: unknown }>): void {
    this.#settle(call)
    if (message.type === 'failure')
      call.reject(new PipeRefusedError(message.failure.code, message.failure.message))
    else this.#resolve(call, message.result)
  }

  #resolve(call: Call, result: unknown): void {
    try {
      call.resolve(readResult(call.name, result))
    } catch (error) {
      call.reject(error)
    }
  }

  #flushSoon(): void {
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    // After the promises of this turn: callers that go on after their replies make their next calls by then.
    process.nextTick(flush, this)
  }

  flush(): void {
    this.#isFlushDue = false
    this.#flush()
  }

  #flush(): void {
    if (this.#end) return
    const frames = this.#calls.takeDue(maxUnsentBytes - this.#socket.writableLength)
    const [first] = frames
    if (first) this.#socket.write(frames.length === 1 ? first : Buffer.concat(frames))
  }

  #giveUp(call: Call, reason: unknown): void {
    this.#settle(call)
    const wasSent = this.#calls.giveUp(call, performance.now())
    call.reject(reason)
    // There is nothing to abandon where the answer is made at once.
    if (!wasSent || !call.isCommand) return
    this.#timer.watch(this.#calls.stuckSinceMs + stuckMs)
    const id = ++this.#lastId
    this.#calls.noteSent(id)
    this.#socket.write(encodeFrame(writeSessionRequest(id, 'cancel', { id: call.id })))
  }

  #settle(call: Call): void {
    if (call.abort) call.signal?.removeEventListener('abort', call.abort)
    this.release()
  }

  #expire(nowMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY
    for (const call of this.#calls.awaited()) {
      if (call.deadlineMs <= nowMs) this.#giveUp(call, this.#timeoutOf(call))
      else nextMs = Math.min(nextMs, call.deadlineMs)
    }
    const stuckAtMs = this.#calls.stuckSinceMs + stuckMs
    if (stuckAtMs > nowMs) return Math.min(nextMs, stuckAtMs)
    this.#lose()
    return Number.POSITIVE_INFINITY
  }

  #timeoutOf(call: Call): PipeTimeoutError {
    return this.#calls.isQueued(call)
      ? new PipeTimeoutError(call.timeoutMs, false, missingTurn)
      : new PipeTimeoutError(call.timeoutMs, true)
  }

  #break(): void {
    const sentence = 'The wrapper sent something that is not a reply to what was asked.'
    this.#endWith(wasSent =>
      wasSent
        ? new PipeReplyError(`${sentence} Whether the command had an effect is not known.`)
        : new PipeReplyError(sentence, false, !this.#isOnly),
    )
  }

  #endWith(makeError: (wasSent: boolean) => PipeError, isFinal = this.#isOnly): void {
    if (this.#end) return
    // What is called from now on meets a connection that is closed, whatever it was that ended it.
    this.#end = wasSent => new PipeClosedError(wasSent, undefined, isFinal)
    this.#timer.stop()
    this.#socket.destroy()
    const pending = [...this.#calls.awaited()].map(call => ({ call, wasSent: !this.#calls.isQueued(call) }))
    this.#calls.clear()
    for (const { call, wasSent } of pending) {
      this.#settle(call)
      call.reject(makeError(wasSent))
    }
    this.#listener.onEnd(makeError(false))
  }
}

function flush(connection: SessionConnection): void {
  connection.flush()
}
