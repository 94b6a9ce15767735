import type { OpenLaunchArguments } from '@service-link/cli-args'
import type { Command, Launch, ServiceLinkError } from '@service-link/protocol-core'

/** What a provider is told of a launch. */
export interface ProviderContext {
  readonly launch: Launch
  /**
   * The launch's arguments, already split into names and values. `words` and `otherValues`, which mean nothing to the wrapper,
   * are empty for its own providers: words are refused there.
   */
  readonly arguments: OpenLaunchArguments
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string
  /** Aborts when the wrapper waits no longer: the time is over, or it closes. What is provided after that is dropped. */
  readonly signal?: AbortSignal
  /**
   * Makes the error that refuses the launch, to be thrown. Any other error is told as an unnamed failure of the provider.
   *
   * @param sentence what is wrong and what to do; shown to the launching program and written to the log, so it names
   *   neither a person nor a value of the launch
   */
  refusal(sentence: string): ServiceLinkError
}

/** What a provider made of a launch. */
export interface ProvidedCommands {
  /**
   * A signed payload of the partner link, a JWT in compact form (specification 2.1, 4.1). The window posts it to
   * `{sso_url}/partner/payload` before the commands; they run only when the service took it. The wrapper neither reads nor
   * keeps it.
   */
  readonly payload?: string
  /** Carried out in this order; may be none. */
  readonly commands: readonly Command[]
  /**
   * Called once the web app has taken all the commands; not called when one failed. The launch is completed even when this
   * fails; the wrapper reports it.
   */
  taken?(): Promise<void>
}

/**
 * Turns a launch into commands (specification 4.2). Does nothing else: the wrapper carries them out.
 *
 * An integrator's own is an export of a module in the folder `providers`, or is given to `createWrapper({ providers })`.
 *
 * @example
 * ```ts
 * import type { Provider } from '@service-link/wrapper-host'
 *
 * export const Component: Provider = {
 *   async provide({ arguments: { otherValues }, refusal }) {
 *     const { exercise } = otherValues
 *     if (!exercise) throw refusal('The argument exercise is missing.')
 *     return { commands: [{ name: 'queryexercises', args: { text: exercise } }] }
 *   },
 * }
 * ```
 */
export interface Provider {
  /**
   * @throws {ServiceLinkError} when the launch cannot be understood; it is then refused and has no effect
   */
  provide(context: ProviderContext): Promise<ProvidedCommands>
}
