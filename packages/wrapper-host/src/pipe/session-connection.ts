import type { Socket } from 'node:net'
import {
  ArgsError,
  CancelledError,
  ClosingError,
  decodeRequest,
  type FrameDecoder,
  isSessionMethod,
  parseSessionCall,
  type RequestEnvelope,
  type SessionEvent,
  type SessionEventName,
  type SessionId,
  type SessionMethod,
  writeSessionEvent,
  writeSessionFailure,
  writeSessionReply,
} from '@service-link/protocol-core'
import { isOwnCommand } from '../command/command-runner.ts'
import { commandFailure, noRoom, replyTooLong } from './classic-connection.ts'
import { Outbox } from './outbox.ts'
import type { PipeContext } from './pipe-context.ts'
import { SessionCommands } from './session-commands.ts'
import { SessionInput } from './session-input.ts'

/**
 * Serves one connection in session mode: takes requests, writes replies as they are ready, and events that the client asked for
 * (design: pipe protocol). No client disturbs another connection.
 */
export class SessionConnection {
  readonly #socket: Socket
  readonly #context: PipeContext
  readonly #input: SessionInput
  readonly #outbox: Outbox
  readonly #commands: SessionCommands
  /** Events that this client subscribes to. */
  #events: ReadonlySet<SessionEventName> = new Set()
  #stopEvents: (() => void) | undefined
  /** Whether the connection takes no further request, and ends after the last answer. */
  #isEnding = false
  /** Whether the wrapper exits. */
  #isClosing = false

  /**
   * @param decoder has the stream so far
   * @param first the first request, and the length of its body
   * @param rest bodies that came with the first
   */
  constructor(
    socket: Socket,
    decoder: FrameDecoder,
    context: PipeContext,
    {
      first,
      rest,
    }: { readonly first: readonly [RequestEnvelope, number]; readonly rest: readonly Uint8Array[] },
  ) {
    this.#socket = socket
    this.#context = context
    this.#outbox = new Outbox(socket, { ...context, onFull: isFull => this.#input.setHeld(isFull) })
    this.#commands = new SessionCommands(context, {
      client: socket,
      onResult: (id, result) => {
        this.#reply(id, result)
        this.#endWhenAnswered()
      },
      onFailure: (id, error) => {
        this.#fail(id, error)
        this.#endWhenAnswered()
      },
    })
    this.#input = new SessionInput(socket, decoder, {
      ...context,
      onBody: body => this.#takeBody(body),
      onEnd: error => this.#onEnd(error),
    })
    socket.once('close', () => this.#onClose())
    this.#takeRequest(...first)
    this.#input.begin(rest)
  }

  /** Fails the requests in flight and those that came, writes these answers, and ends the connection. */
  close(): void {
    this.#isClosing = true
    const reason = new ClosingError()
    for (const id of this.#commands.cancelAll(reason)) this.#fail(id, reason)
    this.#input.giveOutRest()
    this.#beginEnding()
  }

  #onEnd(error: unknown): void {
    if (error) this.#fail(null, error)
    this.#beginEnding()
    // The client may still read, or be gone. An empty write finds out, and closes the connection of a client that is gone.
    if (this.#commands.unansweredCount > 0) this.#socket.write('')
  }

  #onClose(): void {
    this.#input[Symbol.dispose]()
    this.#stopEvents?.()
    this.#outbox[Symbol.dispose]()
    this.#commands.cancelAll(new CancelledError())
  }

  #takeBody(body: Uint8Array): void {
    try {
      this.#takeRequest(decodeRequest(body), body.length)
    } catch (error) {
      this.#fail(null, error)
    }
  }

  #takeRequest(request: RequestEnvelope, bodyBytes: number): void {
    const { id } = request
    if (id === undefined || this.#commands.has(id)) {
      const problem = id === undefined ? 'is missing' : 'is the one of a request in flight'
      this.#fail(null, new ArgsError([{ path: 'Id', problem }]))
      return
    }
    try {
      if (this.#isClosing) throw new ClosingError()
      this.#context.runner.throwIfClosing()
      const call = parseSessionCall(request, this.#context)
      if (isSessionMethod(call)) this.#reply(id, this.#answer(call))
      else if (isOwnCommand(call)) this.#reply(id, this.#context.runner.runOwn(call))
      else this.#commands.begin(id, call, bodyBytes)
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
        this.#subscribe(call.args.events)
        return { events: call.args.events }
      case 'cancel': {
        const reason = this.#commands.cancel(call.args.id)
        if (reason) this.#fail(call.args.id, reason)
        return { cancelled: reason !== undefined }
      }
    }
  }

  /** Replaces the subscription. No name ends it. */
  #subscribe(names: readonly SessionEventName[]): void {
    this.#events = new Set(names)
    if (names.length > 0) this.#stopEvents ??= this.#context.session.on(event => this.#tell(event))
    else {
      this.#stopEvents?.()
      this.#stopEvents = undefined
    }
  }

  #tell(event: SessionEvent): void {
    if (this.#events.has(event.event)) this.#outbox.add(writeSessionEvent(event), true)
  }

  #reply(id: SessionId, result: unknown): void {
    try {
      const outcome = this.#outbox.add(writeSessionReply(id, result))
      if (outcome === 'too-long') throw replyTooLong()
      if (outcome === 'no-room') throw noRoom()
    } catch (error) {
      this.#fail(id, error)
    }
  }

  #fail(id: SessionId | null, error: unknown): void {
    this.#outbox.add(writeSessionFailure(id, commandFailure(error)))
  }

  #beginEnding(): void {
    this.#isEnding = true
    this.#input[Symbol.dispose]()
    this.#endWhenAnswered()
  }

  #endWhenAnswered(): void {
    if (this.#isEnding && this.#commands.unansweredCount === 0) this.#outbox.end()
  }
}
