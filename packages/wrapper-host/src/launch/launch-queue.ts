import { readLaunchArguments } from '@service-link/cli-args'
import { ArgsError, type Launch } from '@service-link/protocol-core'
import type { CommandRunner } from '../command/command-runner.ts'
import { timeLimit, unlessAborted } from '../command/time-limit.ts'
import type { LaunchTicket } from '../instance/launch-offers.ts'
import { chooseProvider, type ProviderTable } from '../providers/choose-provider.ts'
import type { ProvidedCommands } from '../providers/provider.ts'
import { ProviderTimeoutError } from '../providers/provider-timeout-error.ts'

/** What the queue needs to understand launches and to carry them out. */
export interface LaunchQueueOptions {
  readonly runner: CommandRunner
  readonly providers: ProviderTable
  /** The setting `ProtocolProvider`. */
  readonly defaultProvider: string
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string
  /**
   * Longest wait in milliseconds for a provider to understand a launch. Default 20,000: the launching process waits 30,000
   * for its answer.
   */
  readonly providerTimeoutMs?: number
  /** Aborts when the wrapper closes; launches that are being understood are then refused with its reason. */
  readonly signal?: AbortSignal
  /** Told of a launch that was taken and whose commands then failed. */
  onFailed?(launchId: string, error: unknown): void
  /** Told of a launch whose commands were carried out, and whose provider then failed to clear up after it. */
  onLeftover?(launchId: string, error: unknown): void
}

/**
 * Takes launches in order and carries them out in order. A launch is understood, or refused, before it is taken. Kept in
 * memory only: after a crash, a stale person in focus would be worse than a lost launch.
 */
export class LaunchQueue {
  readonly #options: LaunchQueueOptions
  #taking: Promise<unknown> = Promise.resolve()

  constructor(options: LaunchQueueOptions) {
    this.#options = options
  }

  /**
   * Understands a launch, after those that came before it.
   *
   * @param answered when given, the launch is carried out only after it resolved, and not at all when it rejects
   * @throws {ServiceLinkError} when the launch is refused, or the wrapper is closing; it then has no effect
   */
  take(launch: Launch, answered?: Promise<void>): Promise<LaunchTicket> {
    const understood = this.#understand(launch)
    const ticket = this.#taking.then(async () => this.#enqueue(launch, await understood, answered))
    understood.catch(() => undefined)
    this.#taking = ticket.catch(() => undefined)
    return ticket
  }

  async #understand(launch: Launch): Promise<Understood> {
    const args = readLaunchArguments(launch.argv)
    // No provider posts it: a launch that was taken without it would sign nobody in, and nobody would be told.
    if (args.payload !== undefined)
      throw new ArgsError([{ path: 'payload', problem: 'is not supported by this wrapper yet' }])
    const provider = chooseProvider(this.#options.providers, args.provider, this.#options.defaultProvider)
    const { culture, providerTimeoutMs = 20_000 } = this.#options
    const timedOut = () => new ProviderTimeoutError(providerTimeoutMs)
    using limit = timeLimit(providerTimeoutMs, timedOut, this.#options.signal)
    const { signal } = limit
    const provided = await unlessAborted(
      provider.provide({ launch, arguments: args, culture, signal }),
      signal,
    )
    return { ...provided, waits: args.wait }
  }

  #enqueue(
    launch: Launch,
    { waits, taken, ...provided }: Understood,
    answered: Promise<void> | undefined,
  ): LaunchTicket {
    this.#options.runner.throwIfClosing()
    const completed = this.#options.runner.runLaunch(provided, answered).then(async () => {
      try {
        await taken?.()
      } catch (error) {
        this.#options.onLeftover?.(launch.id, error)
      }
    })
    completed.catch(error => this.#options.onFailed?.(launch.id, error))
    return { waits, completed }
  }
}

interface Understood extends ProvidedCommands {
  readonly waits: boolean
}
