import type { Socket } from 'node:net'
import {
  ArgsError,
  BusyError,
  CancelledError,
  ClosingError,
  type Command,
  decodeRequest,
  type FrameDecoder,
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
import { SessionInput } from './session-input.ts'
import { SessionRequests } from './session-requests.ts'
import { Subscription } from './subscription.ts'

/**
 * Serves one connection in session mode: requests as they come, replies as they are ready, events that were asked for (design:
 * pipe protocol). Whatever the client does concerns this connection only.
 */
export class SessionConnection {
  readonly #socket: Socket
  readonly #context: PipeContext
  readonly #input: SessionInput
  readonly #outbox: Outbox
  readonly #requests = new SessionRequests()
  readonly #subscription: Subscription
  /** Whether no further request is taken: the connection ends when those in flight are answered. */
  #isEnding = false
  #eventBytes = 0

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
    const { maxUnsentBytes, unreadLimitMs, silenceLimitMs, requestsPerTurn } = context.limits
    this.#socket = socket
    this.#context = context
    this.#outbox = new Outbox(socket, {
      maxUnsentBytes,
      unreadLimitMs,
      onFull: isFull => this.#input.setHeld(isFull),
    })
    this.#subscription = new Subscription(context.session, event => this.#tell(event))
    this.#input = new SessionInput(socket, decoder, {
      silenceLimitMs,
      requestsPerTurn,
      onBody: body => this.#takeBody(body),
      onEnd: error => this.#onEnd(error),
    })
    socket.once('close', () => this.#onClose())
    this.#takeRequest(first)
    this.#input.begin(rest)
  }

  /** What is in flight fails; once its answers are written the connection ends. */
  close(): void {
    const reason = new ClosingError()
    for (const id of this.#requests.cancelAll(reason)) this.#outbox.add(writeSessionFailure(id, reason))
    this.#beginEnding()
  }

  #onEnd(error: unknown): void {
    if (error) this.#fail(null, error)
    this.#beginEnding()
    // A client that has ended its side may still read, or be gone: a write of nothing tells, and closes the connection then.
    if (this.#requests.size > 0) this.#socket.write('')
  }

  #onClose(): void {
    this.#input[Symbol.dispose]()
    this.#subscription[Symbol.dispose]()
    this.#outbox[Symbol.dispose]()
    this.#requests.cancelAll(new CancelledError())
  }

  #takeBody(body: Uint8Array): void {
    try {
      this.#takeRequest(decodeRequest(body))
    } catch (error) {
      this.#fail(null, error)
    }
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

  #beginEnding(): void {
    this.#isEnding = true
    this.#input[Symbol.dispose]()
    this.#endWhenAnswered()
  }

  #endWhenAnswered(): void {
    if (this.#isEnding && this.#requests.size === 0) this.#outbox.end()
  }
}
