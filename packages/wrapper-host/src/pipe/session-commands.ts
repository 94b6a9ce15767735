import {
  type ArgsIssue,
  BusyError,
  CancelledError,
  type Command,
  type CommandName,
  type CommandResult,
  type ServiceLinkError,
  type SessionId,
} from '@service-link/protocol-core'
import type { PipeParts } from './pipe-parts.ts'

interface SessionCommandsOptions {
  readonly client: object
  onResult(
    id: SessionId,
    name: CommandName,
    result: CommandResult<CommandName>,
    warnings: readonly ArgsIssue[],
  ): void
  /** Called with the failure of a command. Not called for a canceled one. */
  onFailure(id: SessionId, error: unknown): void
}

/** Length of a request's body, and its fields that were left out. */
interface RequestFacts {
  readonly bodyBytes: number
  readonly warnings: readonly ArgsIssue[]
}

/**
 * The commands of one connection that are in flight. The id of a command is taken until its answer. A canceled command is
 * answered at once, and counts until nothing of it is at work any more.
 */
export class SessionCommands {
  readonly #parts: PipeParts
  readonly #options: SessionCommandsOptions
  readonly #bodyBytes: ReturnType<PipeParts['bodyBytes']['ofConnection']>
  /** One entry a command without an answer; each cancels its command. */
  readonly #unanswered = new Map<SessionId, AbortController>()
  #atWorkCount = 0

  constructor(parts: PipeParts, options: SessionCommandsOptions) {
    this.#parts = parts
    this.#options = options
    this.#bodyBytes = parts.bodyBytes.ofConnection()
  }

  get unansweredCount(): number {
    return this.#unanswered.size
  }

  has(id: SessionId): boolean {
    return this.#unanswered.has(id)
  }

  /** Begins a command. Throws `BusyError` if too many or too large ones are in flight; nothing is done then. */
  begin(id: SessionId, command: Command, request: RequestFacts): void {
    const { maxInFlight, maxGivenUp } = this.#parts.limits
    if (this.#unanswered.size >= maxInFlight)
      throw new BusyError(`${maxInFlight} requests of this connection are in flight already.`)
    if (this.#atWorkCount - this.#unanswered.size >= maxGivenUp)
      throw new BusyError(
        `The web app is still at work for ${maxGivenUp} requests that this connection has given up.`,
      )
    this.#bodyBytes.receive(request.bodyBytes)
    void this.#run(id, command, request)
  }

  /** Cancels a command. Returns the error that the command fails with; nothing if no such command is in flight. */
  cancel(id: SessionId): ServiceLinkError | undefined {
    const controller = this.#unanswered.get(id)
    if (!controller) return undefined
    const reason = new CancelledError()
    this.#unanswered.delete(id)
    controller.abort(reason)
    return reason
  }

  /** Cancels all commands. Returns their ids. */
  cancelAll(reason: Error): readonly SessionId[] {
    const cancelled = [...this.#unanswered]
    this.#unanswered.clear()
    for (const [, controller] of cancelled) controller.abort(reason)
    return cancelled.map(([id]) => id)
  }

  async #run(id: SessionId, command: Command, { bodyBytes, warnings }: RequestFacts): Promise<void> {
    const controller = new AbortController()
    this.#unanswered.set(id, controller)
    this.#atWorkCount++
    /** False for a canceled command, even if another one has its id by now. */
    const removeUnanswered = () => this.#unanswered.get(id) === controller && this.#unanswered.delete(id)
    const { signal } = controller
    const { answer, ended } = this.#parts.runner.begin(command, { signal, client: this.#options.client })
    try {
      const result = await answer
      if (removeUnanswered()) this.#options.onResult(id, command.name, result, warnings)
    } catch (error) {
      if (removeUnanswered()) this.#options.onFailure(id, error)
    }
    await ended
    this.#atWorkCount--
    this.#bodyBytes.giveBack(bodyBytes)
  }
}
