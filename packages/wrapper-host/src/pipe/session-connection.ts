import type { Socket } from 'node:net'
import {
  ArgsError,
  type ArgsIssue,
  CancelledError,
  ClosingError,
  decodeRequest,
  isSessionMethod,
  parseSessionCall,
  type RequestEnvelope,
  type SessionCallName,
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
import type { ConnectionInput } from './connection-input.ts'
import { Outbox } from './outbox.ts'
import type { ConnectionParts } from './pipe-parts.ts'
import { SessionCommands } from './session-commands.ts'

/**
 * Serves one connection in session mode: takes requests, writes replies as they are ready, and events that the client asked for
 * (design: pipe protocol). No client disturbs another connection.
 */
export class SessionConnection {
  readonly #socket: Socket
  readonly #parts: ConnectionParts
  readonly #input: ConnectionInput
  readonly #outbox: Outbox
  readonly #commands: SessionCommands
  #events: ReadonlySet<SessionEventName> = new Set()
  #stopEvents: (() => void) | undefined
  /** Whether the connection takes no further request, and ends after the last answer. */
  #isEnding = false
  #isClosing = false

  /** @param input gives the bodies of the client to {@link receive} */
  constructor(socket: Socket, input: ConnectionInput, parts: ConnectionParts) {
    this.#socket = socket
    this.#parts = parts
    this.#input = input
    this.#outbox = new Outbox(socket, { ...parts, onFull: isFull => input.setHeld(isFull) })
    this.#commands = new SessionCommands(parts, {
      client: socket,
      onResult: (id, name, result, warnings) => {
        this.#reply(id, name, result, warnings)
        this.#endWhenAnswered()
      },
      onFailure: (id, error) => {
        this.#fail(id, error)
        this.#endWhenAnswered()
      },
    })
    socket.once('close', () => this.#onClose())
  }

  /** Fails the requests in flight and those that came, writes these answers, and ends the connection. */
  close(): void {
    this.#isClosing = true
    const reason = new ClosingError()
    for (const id of this.#commands.cancelAll(reason)) this.#fail(id, reason)
    this.#input.giveOutRest()
    this.#beginEnding()
  }

  /** Ends the connection after the last answer. With an error if the bytes of the client cannot be read on. */
  end(error: unknown): void {
    if (error) this.#fail(null, error)
    this.#beginEnding()
    // The client may still read, or be gone. An empty write finds out, and closes the connection of a client that is gone.
    if (this.#commands.unansweredCount > 0) this.#socket.write('')
  }

  #onClose(): void {
    this.#stopEvents?.()
    this.#outbox[Symbol.dispose]()
    this.#commands.cancelAll(new CancelledError())
  }

  receive(body: Uint8Array): void {
    try {
      this.receiveRequest(decodeRequest(body), body.length)
    } catch (error) {
      this.#fail(null, error)
    }
  }

  receiveRequest(request: RequestEnvelope, bodyBytes: number): void {
    const { id } = request
    if (id === undefined || this.#commands.has(id)) {
      const problem = id === undefined ? 'is missing' : 'is the one of a request in flight'
      this.#fail(null, new ArgsError([{ path: 'Id', problem }]))
      return
    }
    try {
      if (this.#isClosing) throw new ClosingError()
      this.#parts.runner.throwIfClosing()
      const warnings: ArgsIssue[] = []
      const { culture, onDropped, onNoted } = this.#parts
      const warn = (tell: typeof onDropped) => (issue: ArgsIssue) => {
        warnings.push(issue)
        tell?.(issue)
      }
      const call = parseSessionCall(request, { culture, onDropped: warn(onDropped), onNoted: warn(onNoted) })
      if (isSessionMethod(call)) this.#reply(id, call.name, this.#answer(call))
      else if (isOwnCommand(call)) this.#reply(id, call.name, this.#parts.runner.runOwn(call), warnings)
      else this.#commands.begin(id, call, { bodyBytes, warnings })
    } catch (error) {
      this.#fail(id, error)
    }
  }

  #answer(call: SessionMethod): unknown {
    switch (call.name) {
      case 'hello':
        return this.#parts.hello
      case 'status':
        return this.#parts.statusKeeper.status()
      case 'subscribe':
        return { events: this.#subscribe(call.args.events) }
      case 'cancel': {
        const reason = this.#commands.cancel(call.args.id)
        if (reason) this.#fail(call.args.id, reason)
        return { cancelled: reason !== undefined }
      }
    }
  }

  /** Replaces the subscription. No name ends it. Returns the events that this wrapper has. */
  #subscribe(names: readonly SessionEventName[]): readonly SessionEventName[] {
    this.#events = new Set(names)
    if (names.length > 0) this.#stopEvents ??= this.#parts.statusKeeper.on(event => this.#tell(event))
    else {
      this.#stopEvents?.()
      this.#stopEvents = undefined
    }
    return names
  }

  #tell(event: SessionEvent): void {
    if (!this.#events.has(event.event)) return
    const text = writeSessionEvent(event)
    this.#parts.frames?.told(event.event, text)
    this.#outbox.add(text, true)
  }

  #reply(id: SessionId, name: SessionCallName, result: unknown, warnings?: readonly ArgsIssue[]): void {
    try {
      const text = writeSessionReply(id, name, result, warnings)
      const outcome = this.#outbox.add(text)
      if (outcome === 'too-long') throw replyTooLong()
      if (outcome === 'no-room') throw noRoom()
      this.#parts.frames?.replied('ok', text, id)
    } catch (error) {
      this.#fail(id, error)
    }
  }

  #fail(id: SessionId | null, error: unknown): void {
    const failure = commandFailure(error)
    const text = writeSessionFailure(id, failure)
    this.#parts.frames?.replied(failure.code, text, id)
    this.#outbox.add(text)
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
