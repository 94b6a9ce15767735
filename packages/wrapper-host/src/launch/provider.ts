import type { LaunchWords } from '@service-link/cli-args'
import {
  type ArgsIssue,
  type Command,
  defineError,
  type Launch,
  type ServiceLinkError,
} from '@service-link/protocol-core'
import type { LaunchParameters } from '../web-app/page/messages.ts'

/** A launch for a provider. */
export interface ProviderInput {
  readonly launch: Launch
  /**
   * The launch's arguments as names and values. `words` and `otherValues` are for integrators' providers. For a built-in provider
   * the wrapper refuses words.
   */
  readonly arguments: LaunchWords
  /** BCP 47 tag that tells day and month apart where a date does not; `und` if the machine names none. */
  readonly culture: string
  /** Writes a field that cannot be read, and is left out, into the log: its name and the problem, no value. */
  readonly onDropped?: ((issue: ArgsIssue) => void) | undefined
  /**
   * Writes into the log, and tells a launching program that waits, how the culture read a date that another would read as
   * another day. Give it to `parseCommandLine` and `parseXmlInput`.
   */
  readonly onNoted?: ((note: ArgsIssue) => void) | undefined
  /** Aborts at the time-out and when the wrapper closes. A later result is ignored. */
  readonly signal?: AbortSignal | undefined
  /**
   * Makes an error that refuses the launch. Throw it. Any other error becomes `ERR_PROVIDER_FAILED` without its message.
   *
   * @param sentence the problem and its remedy. The launching program shows it and the log keeps it, so it names neither a
   *   person nor a value of the launch
   */
  refusal(sentence: string): ServiceLinkError
}

/** The commands of a launch. */
export interface ProvidedCommands {
  /**
   * A signed payload of the partner link, a JWT in compact form (spec 2.1, 4.1). The window posts it to
   * `{sso_url}/partner/payload`. The commands run only if the service accepts it. The wrapper neither reads nor stores it.
   */
  readonly payload?: string | undefined
  /** Commands in the order of their execution. May be empty. */
  readonly commands: readonly Command[]
  /**
   * For the web app, before the commands: at most 64, of at most 4,096 characters each. Others are left out. Default of a built-in
   * provider: the launch's `otherValues`; of an integrator's provider: none, since these may be credentials.
   */
  readonly launchParameters?: LaunchParameters | undefined
  /**
   * Called after the web app has taken all commands, not if one failed. If it fails, the log has that, and the launch is complete.
   */
  readonly taken?: (() => Promise<void>) | undefined
}

/**
 * Turns a launch into commands (spec 4.2), which the wrapper carries out.
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
   * @throws {ServiceLinkError} to refuse the launch
   */
  provide(input: ProviderInput): Promise<ProvidedCommands>
}

const maxSentenceLength = 500

/**
 * An integrator's provider refused the launch by `input.refusal`.
 *
 * @remedy Read the message: the provider’s author wrote it.
 * @retry as the provider says
 * @seenBy user, integrator
 */
export class ProviderRefusalError extends defineError(
  'ERR_PROVIDER_REFUSED',
  (sentence: string) => {
    const line = String(sentence)
      .replaceAll(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, maxSentenceLength)
    return { message: line.toWellFormed() || 'The provider refused the launch.' }
  },
  'ProviderRefusalError',
) {}

/**
 * An integrator's provider threw an unknown error. The error may name persons, so the message repeats nothing of it.
 *
 * @remedy Let the provider’s author look: expected cases are refused by `throw input.refusal(sentence)`.
 * @retry no
 * @seenBy integrator
 */
export class ProviderFailedError extends defineError(
  'ERR_PROVIDER_FAILED',
  'The provider of the launch failed. It is not part of the wrapper: whoever wrote it can tell why. A provider refuses a launch with its own words by `throw input.refusal(sentence)`.',
) {}

/**
 * An integrator's provider returned a malformed result. No command of it ran.
 *
 * @remedy Return commands as the message says; `issues` has every problem.
 * @retry no
 * @seenBy integrator
 */
export class ProviderResultError extends defineError(
  'ERR_PROVIDER_RESULT',
  (issues: readonly ArgsIssue[]) => {
    const [first] = issues
    return {
      message: `What the provider of the launch returned cannot be carried out: ${first?.path || 'the result'} ${first?.problem ?? 'is not known'}.`,
      /** All problems, without values. */
      issues,
    }
  },
) {}

/**
 * A name of `createWrapper({ providers })` is no type name, a built-in one, or given twice.
 *
 * @remedy Give each provider a type name of its own, such as `Acme.Journal.Component, Acme.Journal`.
 * @retry no
 * @seenBy integrator
 */
export class ProviderNameError extends defineError('ERR_PROVIDER_NAME') {}

/** The fault of a module in the folder `providers`. `not-packed`: a packed wrapper runs only what was packed with it. */
export type ProviderModuleFault = 'not-a-file' | 'access' | 'not-packed' | 'load' | 'export'

/**
 * A module in the folder `providers` that a launch names cannot be used.
 *
 * @remedy Do what the message says of the file in `providers`: access, packing or the export.
 * @retry no
 * @seenBy integrator, administrator
 */
export class ProviderModuleError extends defineError(
  'ERR_PROVIDER_MODULE',
  // `subject` is a path in the application root; `problem` a clause, and the remedy as a sentence after it.
  (fault: ProviderModuleFault, subject: string, problem: string) => ({
    message: `${subject} ${problem}`,
    fault,
  }),
) {}

/**
 * A launch brings input that the chosen provider does not read.
 *
 * @remedy Write the provider that the message names into the launch, or into the setting `ProtocolProvider`.
 * @retry no
 * @seenBy partner's developer, administrator
 */
export class ProviderMismatchError extends defineError(
  'ERR_PROVIDER_MISMATCH',
  // `needed` is a type name, `misspelled` an argument that was probably meant to be `provider`.
  (brought: string, needed: string, configFile: string, misspelled?: string) => {
    const ignored = misspelled === undefined ? '' : ` ${misspelled}=… was ignored.`
    return {
      message: `The launch brings ${brought}, which its provider does not read.${ignored} Write provider="${needed}" into the launch, or set ProtocolProvider to that name in ${configFile}.`,
    }
  },
) {}

/**
 * The provider of a launch did not answer in time. The wrapper refused the launch.
 *
 * @remedy Make sure that what the provider reads can be reached, and launch again.
 * @retry yes
 * @seenBy integrator, user
 */
export class ProviderTimeoutError extends defineError('ERR_PROVIDER_TIMEOUT', (waitedMs: number) => ({
  message: `The provider of the launch did not answer within ${waitedMs} ms. Make sure that what it reads can be reached, and launch again.`,
  /** Length of the wait, in milliseconds. */
  waitedMs,
})) {}

/**
 * A launch or setting names a provider that this wrapper does not have.
 *
 * @remedy Correct the name; the message lists those that are known.
 * @retry no
 * @seenBy partner's developer, administrator
 */
export class UnknownProviderError extends defineError(
  'ERR_PROVIDER_UNKNOWN',
  // The wrapper loads an assembly of the folder `providers` only for a launch that names it.
  (place: string, names: readonly string[], assemblies: readonly string[], near?: string) => {
    const modules = assemblies.length > 0 ? ` Assemblies in the folder providers: ${list(assemblies)}.` : ''
    const known = near === undefined ? `Known: ${list(names)}.${modules}` : `Did you mean "${near}"?`
    return { message: `${place} names no provider of this wrapper. ${known}` }
  },
  'UnknownProviderError',
) {}

function list(names: readonly string[]): string {
  return names.map(name => `"${name}"`).join(', ')
}
