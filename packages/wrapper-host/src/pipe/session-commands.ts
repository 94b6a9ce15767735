import {
  BusyError,
  type Command,
  type CommandName,
  type CommandResult,
  type ServiceLinkError,
  type SessionId,
} from '@service-link/protocol-core'
import type { ConnectionBodyBytes } from './body-bytes.ts'
import type { PipeContext } from './pipe-context.ts'
import { type SessionRequest, SessionRequests } from './session-requests.ts'

/** Options of {@link SessionCommands}. */
export interface SessionCommandsOptions {
  /** Whose commands they are. */
  readonly client: object
  /** Told of what a command resulted in. */
  onResult(id: SessionId, result: CommandResult<CommandName>): void
  /** Told of why a command failed; not of those that were given up. */
  onFailure(id: SessionId, error: unknown): void
}

/** Carries the commands of one connection out that take their time. */
export class SessionCommands {
  readonly #context: PipeContext
  readonly #options: SessionCommandsOptions
  readonly #requests = new SessionRequests()
  readonly #bodyBytes: ConnectionBodyBytes

  constructor(context: PipeContext, options: SessionCommandsOptions) {
    this.#context = context
    this.#options = options
    this.#bodyBytes = context.bodyBytes.ofConnection()
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
    const { maxInFlight, maxGivenUp } = this.#context.limits
    const { unansweredCount, givenUpCount } = this.#requests
    if (unansweredCount >= maxInFlight)
      throw new BusyError(`${maxInFlight} requests of this connection are in flight already.`)
    if (givenUpCount >= maxGivenUp)
      throw new BusyError(
        `The web app is still at work for ${maxGivenUp} requests that this connection has given up.`,
      )
    this.#bodyBytes.take(bodyBytes)
    void this.#run(this.#requests.begin(id), command, bodyBytes)
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
    const { answer, ended } = this.#context.runner.begin(command, {
      signal: request.signal,
      client: this.#options.client,
    })
    try {
      const result = await answer
      if (this.#requests.settle(request)) this.#options.onResult(request.id, result)
    } catch (error) {
      if (this.#requests.settle(request)) this.#options.onFailure(request.id, error)
    }
    await ended
    this.#requests.end()
    this.#bodyBytes.giveBack(bodyBytes)
  }
}
