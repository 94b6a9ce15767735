import type { Socket } from 'node:net'
import {
  ArgsError,
  BusyError,
  CancelledError,
  ClosingError,
  type Command,
  decodeRequest,
  type FrameDecoder,
  FrameError,
  isSessionMethod,
  parseSessionCall,
  type RequestEnvelope,
  type SessionEvent,
  type SessionId,
  type SessionMethod,
  writeSessionEvent,
  writeSessionFailure,
  writeSessionReply,
} from '@service-link/protocol-core'
import { isOwnCommand } from '../command/own-command.ts'
import { commandFailure, replyTooLong } from './command-failure.ts'
import { Outbox } from './outbox.ts'
import type { PipeContext } from './pipe-context.ts'
import { SessionRequests } from './session-requests.ts'
import { Subscription } from './subscription.ts'

/**
 * Serves one connection in session mode: requests as they come, replies as they are ready, events that were asked for (design:
 * pipe protocol). Whatever the client does concerns this connection only.
 */
export class SessionConnection {
  readonly #socket: Socket
  readonly #decoder: FrameDecoder
  readonly #context: PipeContext
  readonly #outbox: Outbox
  readonly #requests = new SessionRequests()
  readonly #subscription: Subscription
  /** Whether no further request is taken: the connection ends when those in flight are answered. */
  #isEnding = false
  #isPaused = false
  #eventBytes = 0
  #frameLimit: NodeJS.Timeout | undefined

  /**
   * @param decoder has the stream so far
   * @param first the request that chose this mode
   * @param rest bodies that came with it
   */
  constructor(
    socket: Socket,
    decoder: FrameDecoder,
    context: PipeContext,
    { first, rest }: { readonly first: RequestEnvelope; readonly rest: readonly Uint8Array[] },
  ) {
    const { maxUnsentBytes, unreadLimitMs } = context.limits
    this.#socket = socket
    this.#decoder = decoder
    this.#context = context
    this.#outbox = new Outbox(socket, {
      maxUnsentBytes,
      unreadLimitMs,
      onFull: isFull => this.#setPaused(isFull),
    })
    this.#subscription = new Subscription(context.session, event => this.#tell(event))
    socket.on('data', this.#onData).on('end', this.#onEnd)
    socket.once('close', () => this.#onClose())
    this.#takeRequest(first)
    this.#takeBodies(rest)
  }

  /** What is in flight fails; once its answers are written the connection ends. */
  close(): void {
    const reason = new ClosingError()
    for (const id of this.#requests.cancelAll(reason)) this.#outbox.add(writeSessionFailure(id, reason))
    this.#beginEnding()
  }

  readonly #onData = (chunk: Uint8Array): void => {
    try {
      this.#takeBodies(this.#decoder.push(chunk))
    } catch (error) {
      this.#endWith(error)
    }
  }

  readonly #onEnd = (): void => {
    try {
      this.#decoder.end()
      this.#beginEnding()
      // A client that has ended its side may still read, or be gone: a write of nothing tells, and closes the connection then.
      if (this.#requests.size > 0) this.#socket.write('')
    } catch (error) {
      this.#endWith(error)
    }
  }

  #onClose(): void {
    clearTimeout(this.#frameLimit)
    this.#subscription[Symbol.dispose]()
    this.#outbox[Symbol.dispose]()
    this.#requests.cancelAll(new CancelledError())
  }

  #takeBodies(bodies: readonly Uint8Array[]): void {
    for (const body of bodies) {
      try {
        this.#takeRequest(decodeRequest(body))
      } catch (error) {
        this.#fail(null, error)
      }
    }
    const { failure } = this.#decoder
    if (failure) this.#endWith(failure)
    else this.#limitFrame(bodies.length > 0)
  }

  #takeRequest(request: RequestEnvelope): void {
    const { id } = request
    if (id === undefined || this.#requests.has(id)) {
      const problem = id === undefined ? 'is missing' : 'is the one of a request in flight'
      this.#fail(null, new ArgsError([{ path: 'Id', problem }]))
      return
    }
    try {
      this.#context.runner.throwIfClosing()
      const call = parseSessionCall(request, this.#context)
      if (isSessionMethod(call)) this.#reply(id, this.#answer(call))
      else if (isOwnCommand(call)) this.#reply(id, this.#context.runner.runOwn(call))
      else this.#begin(id, call)
    } catch (error) {
      this.#fail(id, error)
    }
  }

  #answer(call: SessionMethod): unknown {
    switch (call.name) {
      case 'hello':
        return this.#context.hello
      case 'status':
        return this.#context.session.status()
      case 'subscribe':
        this.#subscription.choose(call.args.events)
        return { events: call.args.events }
      case 'cancel': {
        const reason = this.#requests.cancel(call.args.id)
        if (reason) this.#fail(call.args.id, reason)
        return { cancelled: reason !== undefined }
      }
    }
  }

  #begin(id: SessionId, command: Command): void {
    const { maxInFlight } = this.#context.limits
    if (this.#requests.size >= maxInFlight)
      throw new BusyError(`${maxInFlight} requests of this connection are in flight already.`)
    void this.#run(id, command)
  }

  async #run(id: SessionId, command: Command): Promise<void> {
    const request = this.#requests.begin(id)
    try {
      const result = await this.#context.runner.run(command, request.signal)
      if (this.#requests.end(request)) this.#reply(id, result)
    } catch (error) {
      if (this.#requests.end(request)) this.#fail(id, error)
    }
    this.#endWhenAnswered()
  }

  #reply(id: SessionId, result: unknown): void {
    if (!this.#outbox.add(writeSessionReply(id, result))) this.#fail(id, replyTooLong())
  }

  #fail(id: SessionId | null, error: unknown): void {
    this.#outbox.add(writeSessionFailure(id, commandFailure(error)))
  }

  #tell(event: SessionEvent): void {
    const text = writeSessionEvent(event)
    this.#eventBytes = this.#outbox.unsentBytes === 0 ? 0 : this.#eventBytes + text.length
    if (this.#eventBytes > this.#context.limits.maxUnreadEventBytes) this.#socket.destroy()
    else this.#outbox.add(text)
  }

  /** Nothing further can be read after this: it is told, what is in flight is answered, and the connection ends. */
  #endWith(error: unknown): void {
    this.#fail(null, error)
    this.#beginEnding()
  }

  #beginEnding(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    clearTimeout(this.#frameLimit)
    // What still comes is thrown away, so that the client's own end is seen.
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).resume()
    this.#endWhenAnswered()
  }

  #endWhenAnswered(): void {
    if (this.#isEnding && this.#requests.size === 0) this.#outbox.end()
  }

  #setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    if (this.#isEnding) return
    if (isPaused) this.#socket.pause()
    else this.#socket.resume()
    // A client from which nothing is read cannot finish its frame.
    this.#limitFrame(true)
  }

  /** @param isAnew whether the frame that has begun, if any, is another than the one whose time runs */
  #limitFrame(isAnew: boolean): void {
    const isWaiting = this.#decoder.isInsideFrame && !this.#isPaused && !this.#isEnding
    if (this.#frameLimit && (isAnew || !isWaiting)) {
      clearTimeout(this.#frameLimit)
      this.#frameLimit = undefined
    }
    if (!isWaiting || this.#frameLimit) return
    const { silenceLimitMs } = this.#context.limits
    this.#frameLimit = setTimeout(
      () => this.#endWith(new FrameError(`A frame was not complete after ${silenceLimitMs} ms.`)),
      silenceLimitMs,
    )
  }
}
