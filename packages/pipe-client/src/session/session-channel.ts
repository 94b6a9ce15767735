import type { Socket } from 'node:net'
import type { SessionEvent } from '@service-link/protocol-core'
import {
  bringsToFront,
  readClassicFailure,
  readSessionMessage,
  readSessionResult,
  type SessionCallName,
  type SessionMessage,
  type SessionResult,
  writeSessionRequest,
} from '@service-link/protocol-core'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import {
  encodeFrames,
  FrameDecoder,
  maxReplyFrameBytes,
  maxRequestFrameBytes,
  measureFrame,
} from '@service-link/protocol-core/frame'
import { Deadline } from '@service-link/protocol-core/time'
import type { CallArgs, Channel, EventChoice, FoundWrapper, OnWarning } from '../connection/channel.ts'
import {
  type ConnectionEnd,
  PipeClosedError,
  type PipeError,
  PipeRefusedError,
  PipeReplyError,
  PipeTimeoutError,
  refusalOf,
  tellDoubt,
} from '../errors/pipe-error.ts'
import { grantForeground } from '../running/grant-foreground.ts'
import { EventIterations } from './event-iterations.ts'
import { type Call, isCommand, PendingCalls } from './pending-calls.ts'

/** Above it, in bytes, calls wait until the wrapper reads what was written. */
const maxUnsentBytes = 1024 * 1024

/** Begins the message for a call that waited for others, and was not sent. */
const missingTurn = 'The call was not sent, because it waited for others: its turn did not come'

const requestLimit = { maxFrameBytes: maxRequestFrameBytes }

/** Makes the error of a call at the end of the connection. */
type MakeError = (wasSent: boolean, call?: SessionCallName) => PipeError

/** Options of {@link SessionChannel}. */
export interface SessionOptions {
  /** For the subscription to events, in milliseconds. */
  readonly timeoutMs: number
  /** Whether the client opens another channel when this one is lost. */
  readonly reconnect: boolean
  /** Default: nobody. */
  readonly onWarning: OnWarning | undefined
}

/**
 * The session mode of the pipe: one connection for all calls and events (design: pipe protocol). The wrapper has a bounded
 * number of commands at a time; the others wait in order. All requests of one turn of the event loop leave in one write.
 * Keeps the process alive only while somebody waits.
 */
export class SessionChannel implements Channel {
  readonly mode = 'session'
  #wrapper: FoundWrapper
  readonly #socket: Socket
  readonly #options: SessionOptions
  readonly #decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
  readonly #calls = new PendingCalls()
  readonly #iterations: EventIterations
  #lastId = 0
  #holdCount = 0
  #isFlushDue = false
  #hasReceived = false
  /** Makes the error of later calls. Set when the connection has ended. */
  #end: (() => PipeError) | undefined
  /** The operating system's name of the failure that broke the connection. */
  #systemCode: string | undefined
  #timer: NodeJS.Timeout | undefined
  /** Time of `performance.now()` for which the timer runs. */
  #timerDueMs = Number.POSITIVE_INFINITY

  /** @param socket an open connection. The channel closes it, and takes all that it reads by {@link receive} */
  constructor(socket: Socket, wrapper: FoundWrapper, options: SessionOptions) {
    this.#wrapper = wrapper
    this.#socket = socket
    this.#options = options
    this.#iterations = new EventIterations({
      subscribe: events => this.request('subscribe', { events }, new Deadline(options.timeoutMs)),
      hold: () => this.#hold(),
      release: () => this.#release(),
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      this.#systemCode = code
    })
    socket.on('close', () => this.#lose())
    socket.on('end', () => this.#lose())
    socket.on('drain', () => this.#flush())
    socket.unref()
    if (socket.destroyed) this.#lose()
  }

  get wrapper(): FoundWrapper {
    return this.#wrapper
  }

  get isOpen(): boolean {
    return this.#end === undefined
  }

  /** Sets the browser's process id as `hello` tells it: the record may be of a former browser, or of an older wrapper. */
  noteBrowser(browserPid: number | null | undefined): void {
    if (browserPid) this.#wrapper = { ...this.#wrapper, browserPid }
  }

  /** Sets how many commands the wrapper has at a time. */
  limitInFlight(maxInFlight: number): void {
    this.#calls.limit(maxInFlight)
  }

  request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    deadline: Deadline,
  ): Promise<SessionResult<Name>> {
    return new Promise((resolve, reject) => {
      if (this.#end) throw this.#end()
      const { signal, timeoutMs } = deadline
      signal?.throwIfAborted()
      if (timeoutMs > 0 && deadline.isOver) throw new PipeTimeoutError(timeoutMs, false)
      if (bringsToFront(name)) grantForeground(this.wrapper)
      const id = ++this.#lastId
      const call: Call = {
        id,
        name,
        isCommand: isCommand(name),
        frame: measureFrame(writeSessionRequest(id, name, args), requestLimit),
        deadline,
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
      this.#watch(deadline)
      this.#hold()
      this.#flushSoon()
    })
  }

  openEvents(choice: EventChoice): AsyncIterator<SessionEvent, undefined> {
    return this.#iterations.open(choice)
  }

  /** Takes bytes that the socket read. Keeps nothing of the buffer. */
  readonly receive = (bytes: Uint8Array): void => {
    if (this.#end) return
    try {
      for (const body of this.#decoder.push(bytes)) {
        const message = this.#read(body)
        if (message) this.#handle(message)
        if (this.#end) return
      }
      if (this.#decoder.failure) this.#break()
    } catch (error) {
      if (!isServiceLinkError(error)) throw error
      this.#break()
    }
  }

  async close(): Promise<void> {
    this.#iterations.end(undefined)
    this.#endWith(this.#closedAs('disconnected'), 'disconnected')
  }

  /** Keeps the process alive until {@link #release} is called as often. */
  #hold(): void {
    if (this.#holdCount++ === 0) this.#socket.ref()
  }

  #release(): void {
    if (--this.#holdCount === 0) this.#socket.unref()
  }

  #lose(): void {
    this.#endWith(this.#closedAs(this.#lost))
  }

  get #lost(): ConnectionEnd {
    return this.#options.reconnect ? 'lost' : 'final'
  }

  #closedAs(end: ConnectionEnd): MakeError {
    return (wasSent, name) => new PipeClosedError(wasSent, this.#systemCode, end, name)
  }

  #read(body: Uint8Array): SessionMessage | undefined {
    const isFirst = !this.#hasReceived
    this.#hasReceived = true
    try {
      return readSessionMessage(body)
    } catch (error) {
      if (!isFirst) throw error
      // A wrapper without room for another client refuses it in the classic mode.
      const failure = readClassicFailure(body)
      if (!failure) throw error
      this.#endWith(() => new PipeRefusedError(failure.code, failure.error))
      return undefined
    }
  }

  #handle(message: SessionMessage): void {
    if (message.type === 'event') this.#iterations.deliver(message.event)
    if (message.type === 'event' || message.type === 'unknown-event') return
    const { id } = message
    const call = typeof id === 'number' ? this.#calls.removeAnswered(id) : undefined
    if (call) {
      if (!call.isGivenUp) this.#answer(call, message)
      if (this.#calls.hasQueued()) this.#flushSoon()
    } else if (this.#calls.isStray(id)) this.#break()
  }

  #answer(call: Call, message: Extract<SessionMessage, { id: unknown }>): void {
    this.#settle(call)
    if (message.type === 'failure') {
      call.reject(refusalOf(call.name, message.failure.code, message.failure.message))
      return
    }
    // A failure of the program's own function must not break the connection.
    for (const { path, problem } of message.warnings ?? [])
      queueMicrotask(() => this.#options.onWarning?.({ command: call.name, path, problem }))
    try {
      call.resolve(readSessionResult(call.name, message.result))
    } catch (error) {
      call.reject(isServiceLinkError(error) ? new PipeReplyError(error.message) : error)
    }
  }

  #flushSoon(): void {
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    // Runs after the promises of this turn, in which callers make their next calls.
    process.nextTick(this.#flush)
  }

  readonly #flush = (): void => {
    this.#isFlushDue = false
    if (this.#end) return
    const frames = this.#calls.removeDue(maxUnsentBytes - this.#socket.writableLength)
    if (frames.length > 0) this.#socket.write(encodeFrames(frames))
  }

  #giveUp(call: Call, reason: unknown): void {
    this.#settle(call)
    const wasSent = this.#calls.giveUp(call)
    call.reject(reason)
    // A method that the wrapper answers at once cannot be canceled.
    if (!wasSent || !call.isCommand) return
    const id = ++this.#lastId
    this.#calls.noteSent(id)
    this.#socket.write(encodeFrames([measureFrame(writeSessionRequest(id, 'cancel', { id: call.id }))]))
  }

  #settle(call: Call): void {
    if (call.abort) call.deadline.signal?.removeEventListener('abort', call.abort)
    this.#release()
  }

  /** Sets the one timer for the nearest deadline. Nearly all calls end before theirs, which costs nothing then. */
  #watch(deadline: Deadline): void {
    if (deadline.dueMs >= this.#timerDueMs) return
    clearTimeout(this.#timer)
    this.#timerDueMs = deadline.dueMs
    this.#timer = setTimeout(this.#expire, Math.max(1, Math.ceil(deadline.leftMs)))
    this.#timer.unref()
  }

  readonly #expire = (): void => {
    this.#timerDueMs = Number.POSITIVE_INFINITY
    for (const call of this.#calls.awaited()) {
      if (call.deadline.isOver) this.#giveUp(call, this.#timeoutOf(call))
      else this.#watch(call.deadline)
    }
  }

  #timeoutOf(call: Call): PipeTimeoutError {
    const { timeoutMs } = call.deadline
    return this.#calls.isQueued(call)
      ? new PipeTimeoutError(timeoutMs, false, missingTurn)
      : new PipeTimeoutError(timeoutMs, true, undefined, call.name)
  }

  /** Ends a connection whose bytes make no sense. */
  #break(): void {
    const sentence = 'The wrapper sent something that is not a reply to what was asked.'
    this.#endWith((wasSent, name) =>
      wasSent
        ? new PipeReplyError(`${sentence}${tellDoubt(name)}`)
        : new PipeReplyError(sentence, false, this.#options.reconnect),
    )
  }

  #endWith(makeError: MakeError, end = this.#lost): void {
    if (this.#end) return
    this.#end = () => new PipeClosedError(false, undefined, end)
    clearTimeout(this.#timer)
    this.#socket.destroy()
    const pending = [...this.#calls.awaited()].map(call => ({ call, wasSent: !this.#calls.isQueued(call) }))
    for (const { call, wasSent } of pending) {
      this.#settle(call)
      call.reject(makeError(wasSent, call.name))
    }
    this.#iterations.end(makeError(false))
  }
}
