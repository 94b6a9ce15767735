import type { OpenLaunchArguments } from '@service-link/cli-args'
import type { Command, Launch, ServiceLinkError } from '@service-link/protocol-core'

/** A launch, as a provider gets it. */
export interface ProviderContext {
  readonly launch: Launch
  /**
   * The launch's arguments as names and values. `words` and `otherValues` mean nothing to the wrapper; its own providers get
   * none, because the wrapper refuses words there.
   */
  readonly arguments: OpenLaunchArguments
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string
  /** Aborts when the time is over or the wrapper closes. A later result is dropped. */
  readonly signal?: AbortSignal
  /**
   * Makes the error that refuses the launch: throw it. Any other error becomes an unnamed failure of the provider.
   *
   * @param sentence the problem and its remedy. The launching program shows it and the log keeps it, so it names neither a
   *   person nor a value of the launch
   */
  refusal(sentence: string): ServiceLinkError
}

/** The commands of a launch. */
export interface ProvidedCommands {
  /**
   * A signed payload of the partner link, a JWT in compact form (specification 2.1, 4.1). The window posts it to
   * `{sso_url}/partner/payload` before the commands, which run only if the service takes it. The wrapper neither reads nor
   * keeps it.
   */
  readonly payload?: string
  /** Carried out in this order; may be none. */
  readonly commands: readonly Command[]
  /**
   * Called after the web app has taken all commands, and not if one failed. A failure is reported; the launch is complete
   * all the same.
   */
  taken?(): Promise<void>
}

/**
 * Turns a launch into commands (specification 4.2). The wrapper carries them out.
 *
 * An integrator exports one from a module in the folder `providers`, or passes one to `createWrapper({ providers })`.
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
   * @throws {ServiceLinkError} when the launch cannot be understood; the wrapper then refuses it
   */
  provide(context: ProviderContext): Promise<ProvidedCommands>
}

/** The parts of a provider's type name. */
export interface TypeName {
  /** `Acme.Journal.Component`. */
  readonly type: string
  /** `Acme.Journal`. */
  readonly assembly: string
}

const maxTypeNameLength = 256

/** Windows reserves these names for devices, with any text after a dot. */
const windowsDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * Reads `<Type>, <Assembly>` (specification 4.2): parts of ASCII letters, digits and underscores with single dots between
 * them. The result is safe as the base of a file name on every platform: no separator, no drive, no device, no `..`.
 *
 * @returns nothing when the text is no such name
 */
export function readTypeName(text: string): TypeName | undefined {
  if (text.length > maxTypeNameLength) return undefined
  const [, type, assembly] =
    /^ *([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*) *, *([A-Za-z_]\w*(?:\.\w+)*) *$/.exec(text) ?? []
  if (type === undefined || assembly === undefined || windowsDevice.test(assembly)) return undefined
  return { type, assembly }
}

/** Removes white space and case, which do not matter in the names of the wrapper and its embedding program. */
export function foldTypeName(text: string): string {
  return text.replaceAll(/\s+/g, '').toLowerCase()
}
