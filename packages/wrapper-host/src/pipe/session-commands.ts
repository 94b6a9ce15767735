import {
  BusyError,
  type Command,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  type ServiceLinkError,
  type SessionId,
} from '@service-link/protocol-core'
import { timeLimit } from '../command/time-limit.ts'
import type { ConnectionBodyBytes } from './body-bytes.ts'
import type { PipeContext } from './pipe-context.ts'
import { hasLongReply, type ReplyPlace, ReplyRoom } from './reply-room.ts'
import { type SessionRequest, SessionRequests } from './session-requests.ts'

/** Options of {@link SessionCommands}. */
export interface SessionCommandsOptions {
  /** Whose commands they are. */
  readonly client: object
  /**
   * Told of what a command resulted in.
   *
   * @returns the bytes of the reply
   */
  onResult(id: SessionId, result: CommandResult<CommandName>): number
  /** Told of why a command failed; not of those that were given up. */
  onFailure(id: SessionId, error: unknown): void
}

/** Carries the commands of one connection out that take their time. */
export class SessionCommands {
  readonly #context: PipeContext
  readonly #options: SessionCommandsOptions
  readonly #requests = new SessionRequests()
  readonly #bodyBytes: ConnectionBodyBytes
  readonly #replyRoom: ReplyRoom

  constructor(context: PipeContext, options: SessionCommandsOptions) {
    const { maxUnsentBytes, fullAtUnsentBytes } = context.limits
    this.#context = context
    this.#options = options
    this.#bodyBytes = context.bodyBytes.ofConnection()
    this.#replyRoom = new ReplyRoom(maxUnsentBytes - fullAtUnsentBytes)
  }

  /** Those whose answer is due. */
  get unansweredCount(): number {
    return this.#requests.unansweredCount
  }

  /** Whether an id is that of a command in flight. */
  has(id: SessionId): boolean {
    return this.#requests.has(id)
  }

  /**
   * Begins a command.
   *
   * @param bodyBytes length of its request
   * @throws {BusyError} when too many are in flight, or too large ones: nothing is done
   */
  begin(id: SessionId, command: Command, bodyBytes: number): void {
    const { maxInFlight } = this.#context.limits
    if (this.#requests.atWorkCount >= maxInFlight)
      throw new BusyError(`${maxInFlight} requests of this connection are in flight already.`)
    this.#bodyBytes.take(bodyBytes)
    void this.#run(this.#requests.begin(id), command, bodyBytes)
  }

  /** Begins nothing with a long reply for as long as it is held. */
  setHeld(isHeld: boolean): void {
    this.#replyRoom.setHeld(isHeld)
  }

  /**
   * Gives a command up.
   *
   * @returns what it fails with; `undefined` when there is none of that id
   */
  cancel(id: SessionId): ServiceLinkError | undefined {
    return this.#requests.cancel(id)
  }

  /**
   * Gives all up.
   *
   * @returns their ids
   */
  cancelAll(reason: Error): readonly SessionId[] {
    return this.#requests.cancelAll(reason)
  }

  async #run(request: SessionRequest, command: Command, bodyBytes: number): Promise<void> {
    if (hasLongReply(command)) await this.#runInRoom(request, command)
    else await this.#carryOut(request, command, request.signal)
    this.#requests.end()
    this.#bodyBytes.giveBack(bodyBytes)
  }

  async #runInRoom(request: SessionRequest, command: Command): Promise<void> {
    const place = this.#replyRoom.take(command.name)
    if (place) return this.#carryOutIn(place, request, command, request.signal)
    const { replyRoomLimitMs } = this.#context.limits
    let isBegun = false
    const timedOut = () =>
      isBegun
        ? new CommandTimeoutError(replyRoomLimitMs)
        : new BusyError('There was no room for the reply beside those that this client has to read.')
    using limit = timeLimit(replyRoomLimitMs, timedOut, request.signal)
    try {
      const later = await this.#replyRoom.wait(command.name, limit.signal)
      isBegun = true
      await this.#carryOutIn(later, request, command, limit.signal)
    } catch (error) {
      if (this.#requests.settle(request)) this.#options.onFailure(request.id, error)
    }
  }

  async #carryOutIn(
    place: ReplyPlace,
    request: SessionRequest,
    command: Command,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#carryOut(request, command, signal)
    this.#replyRoom.leave(place)
  }

  /** Resolves when nothing of it is at work any more. */
  async #carryOut(request: SessionRequest, command: Command, signal: AbortSignal): Promise<void> {
    const { answer, ended } = this.#context.runner.begin(command, { signal, client: this.#options.client })
    let byteCount = 0
    try {
      const result = await answer
      if (this.#requests.settle(request)) byteCount = this.#options.onResult(request.id, result)
    } catch (error) {
      if (this.#requests.settle(request)) this.#options.onFailure(request.id, error)
    }
    if (byteCount > 0) this.#replyRoom.note(command.name, byteCount)
    await ended
  }
}
