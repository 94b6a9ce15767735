import { readLaunchArguments, readOpenLaunchArguments } from '@service-link/cli-args'
import { isServiceLinkError, type Launch } from '@service-link/protocol-core'
import type { CommandRunner } from '../command/command-runner.ts'
import { type TimeLimit, timeLimit, unlessAborted } from '../command/time-limit.ts'
import type { LaunchTicket } from '../instance/launch-offers.ts'
import type { ProvidedCommands } from './provider.ts'
import { ProviderRefusalError, ProviderTimeoutError } from './provider-errors.ts'
import type { ProviderTable } from './provider-table.ts'
import { checkSignedPayload, checkSsoUrl } from './signed-payload.ts'

/** What the queue needs to understand launches and to carry them out. */
export interface LaunchQueueOptions {
  readonly runner: CommandRunner
  readonly providers: ProviderTable
  /** Base of the address that signed payloads are posted to. */
  readonly ssoUrl: string
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string
  /**
   * Longest wait in milliseconds for a provider to be loaded and to understand a launch, and for it to clear up afterwards.
   * Default 20,000: the launching process waits 30,000 for its answer.
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
    const args = readOpenLaunchArguments(launch.argv)
    const { providers, culture } = this.#options
    using limit = this.#limit()
    const { signal } = limit
    const { provider, isOwn } = await unlessAborted(providers.choose(args), signal)
    // Only an own provider may know words: for the others they are values that lost their quotes.
    if (!isOwn) readLaunchArguments(launch.argv)
    const refusal = (sentence: string) => new ProviderRefusalError(sentence)
    const context = { launch, arguments: args, culture, signal, refusal }
    const provided = await unlessAborted(provider.provide(context), signal)
    if (provided.payload !== undefined) {
      checkSignedPayload(provided.payload)
      checkSsoUrl(this.#options.ssoUrl)
    }
    return { ...provided, waits: args.wait }
  }

  #limit(): TimeLimit {
    const { providerTimeoutMs = 20_000, signal } = this.#options
    return timeLimit(providerTimeoutMs, () => new ProviderTimeoutError(providerTimeoutMs), signal)
  }

  #enqueue(
    launch: Launch,
    { waits, taken, ...provided }: Understood,
    answered: Promise<void> | undefined,
  ): LaunchTicket {
    this.#options.runner.throwIfClosing()
    const completed = this.#options.runner.runLaunch(provided, answered).then(async () => {
      try {
        using limit = this.#limit()
        await unlessAborted(Promise.resolve(taken?.()), limit.signal)
        return undefined
      } catch (error) {
        this.#options.onLeftover?.(launch.id, error)
        return isServiceLinkError(error) ? error.message : undefined
      }
    })
    completed.catch(error => this.#options.onFailed?.(launch.id, error))
    return { waits, completed }
  }
}

interface Understood extends ProvidedCommands {
  readonly waits: boolean
}
