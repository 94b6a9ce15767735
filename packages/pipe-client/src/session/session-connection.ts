import type { Socket } from 'node:net'
import {
  encodeFrame,
  FrameDecoder,
  isServiceLinkError,
  maxReplyFrameBytes,
  maxRequestFrameBytes,
  readClassicReply,
  readSessionMessage,
  type SessionCallName,
  type SessionEvent,
  type SessionId,
  type SessionMessage,
  type SessionResult,
  writeSessionRequest,
} from '@service-link/protocol-core'
import type { CallBounds } from '../connection/call-bounds.ts'
import type { CallArgs } from '../connection/channel.ts'
import { boundTimeout } from '../connection/timeout.ts'
import {
  PipeClosedError,
  type PipeError,
  PipeRefusedError,
  PipeReplyError,
  PipeTimeoutError,
} from '../errors/pipe-error.ts'
import type { Call } from './call.ts'
import { DeadlineTimer } from './deadline-timer.ts'
import { readResult } from './read-result.ts'

/** Above it, in bytes, calls wait here until the wrapper has read what was written. */
const maxUnsentBytes = 1024 * 1024

const requestLimit = { maxFrameBytes: maxRequestFrameBytes }

/** Who is told what a connection has besides replies. */
export interface SessionListener {
  onEvent(event: SessionEvent): void
  /** Called once, when no call can be made any more. */
  onEnd(error: PipeError): void
}

/**
 * One connection in session mode (design: pipe protocol): any number of calls, of which a bounded number is with the
 * wrapper; the others wait in the order of the calls. What is written within one turn of the event loop leaves in one
 * write. Keeps the process alive while somebody waits for something.
 */
export class SessionConnection {
  readonly #socket: Socket
  readonly #listener: SessionListener
  readonly #decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
  readonly #timer = new DeadlineTimer(nowMs => this.#expire(nowMs))
  /** Calls that were not written yet, oldest first. */
  readonly #queued = new Set<Call>()
  /** Calls that the wrapper has, also those that were given up: it is at them until it says otherwise. */
  readonly #sent = new Map<number, Call>()
  #maxInFlight: number
  #lastId = 0
  #lastSentId = 0
  #holdCount = 0
  #isFlushDue = false
  #hasReceived = false
  #end: ((wasSent: boolean) => PipeError) | undefined
  /** The operating system's name of what broke the connection. */
  #systemCode: string | undefined

  /** @param socket an open connection, of which this becomes the owner; all that it reads is given to {@link receive} */
  constructor(socket: Socket, maxInFlight: number, listener: SessionListener) {
    this.#socket = socket
    this.#maxInFlight = maxInFlight
    this.#listener = listener
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      this.#systemCode = code
    })
    socket.on('close', () => this.close())
    socket.on('end', () => this.close())
    socket.on('drain', () => this.#flush())
    socket.unref()
    if (socket.destroyed) this.close()
  }

  get isOpen(): boolean {
    return this.#end === undefined
  }

  /** Lowers the bound on calls that are with the wrapper. */
  limitInFlight(maxInFlight: number): void {
    this.#maxInFlight = Math.min(this.#maxInFlight, maxInFlight)
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
      this.#queued.add(call)
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

  /** Ends the connection; what is pending rejects. */
  close(): void {
    const systemCode = this.#systemCode
    this.#endWith(wasSent => new PipeClosedError(wasSent, systemCode))
  }

  #read(body: Uint8Array): SessionMessage | undefined {
    const isFirst = !this.#hasReceived
    this.#hasReceived = true
    try {
      return readSessionMessage(body)
    } catch (error) {
      if (!isFirst) throw error
      this.#refuse(body)
      return undefined
    }
  }

  /** The wrapper has not got as far as the mode: an older one, or one that takes no further client. */
  #refuse(body: Uint8Array): void {
    const outcome = readClassicReply('hide', body)
    if (outcome.isFailure) {
      const { code, error } = outcome.failure
      this.#endWith(() => new PipeRefusedError(code, error))
    } else this.#break()
  }

  #take(message: SessionMessage): void {
    if (message.type === 'event') this.#listener.onEvent(message.event)
    if (message.type === 'event' || message.type === 'unknown-event') return
    const { id } = message
    const call = typeof id === 'number' ? this.#sent.get(id) : undefined
    if (call) {
      this.#sent.delete(call.id)
      if (!call.isGivenUp) this.#answer(call, message)
      if (this.#queued.size > 0) this.#flushSoon()
    } else if (this.#isStray(id)) this.#break()
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

  /** Whether nothing was ever sent with this id. A second reply, or one to what nobody waits for, is of no account. */
  #isStray(id: SessionId | null): boolean {
    if (typeof id !== 'number' || id < 1 || id > this.#lastSentId) return true
    return [...this.#queued].some(call => call.id === id)
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
    const frames: Uint8Array[] = []
    let unsentBytes = this.#socket.writableLength
    for (const call of this.#queued) {
      if (this.#sent.size >= this.#maxInFlight || unsentBytes >= maxUnsentBytes) break
      this.#queued.delete(call)
      this.#sent.set(call.id, call)
      this.#lastSentId = Math.max(this.#lastSentId, call.id)
      frames.push(call.frame)
      unsentBytes += call.frame.length
    }
    const [first] = frames
    if (first) this.#socket.write(frames.length === 1 ? first : Buffer.concat(frames))
  }

  #giveUp(call: Call, reason: unknown): void {
    this.#settle(call)
    call.isGivenUp = true
    call.reject(reason)
    // Whoever does not answer hello would not know what cancel is.
    if (this.#queued.delete(call) || call.name === 'hello') return
    const id = ++this.#lastId
    this.#lastSentId = id
    this.#socket.write(encodeFrame(writeSessionRequest(id, 'cancel', { id: call.id })))
  }

  #settle(call: Call): void {
    if (call.abort) call.signal?.removeEventListener('abort', call.abort)
    this.release()
  }

  #expire(nowMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY
    for (const calls of [this.#queued, this.#sent.values()]) {
      for (const call of calls) {
        if (call.isGivenUp) continue
        if (call.deadlineMs > nowMs) nextMs = Math.min(nextMs, call.deadlineMs)
        else this.#giveUp(call, new PipeTimeoutError(call.timeoutMs, !this.#queued.has(call)))
      }
    }
    return nextMs
  }

  #break(): void {
    this.#endWith(
      () => new PipeReplyError('The wrapper sent something that is not a reply to what was asked.'),
    )
  }

  #endWith(makeError: (wasSent: boolean) => PipeError): void {
    if (this.#end) return
    // What is called from now on meets a connection that is closed, whatever it was that ended it.
    this.#end = wasSent => new PipeClosedError(wasSent)
    this.#timer.stop()
    this.#socket.destroy()
    const pending: [Call, boolean][] = [
      ...[...this.#sent.values()].map((call): [Call, boolean] => [call, true]),
      ...[...this.#queued].map((call): [Call, boolean] => [call, false]),
    ]
    this.#sent.clear()
    this.#queued.clear()
    for (const [call, wasSent] of pending) {
      if (call.isGivenUp) continue
      this.#settle(call)
      call.reject(makeError(wasSent))
    }
    this.#listener.onEnd(makeError(false))
  }
}

function flush(connection: SessionConnection): void {
  connection.flush()
}
