import type {
  CommandArgs,
  CommandResult,
  EndReason,
  PersonInFocus,
  SelectPersonAnswer,
} from '@service-link/protocol-core'
import * as z from 'zod/mini'
import type { pageAnswerSchema, pageMessageSchema } from './page-messages.ts'

/** Name of the page's handler for each command that the web app carries out. */
export const handlerNames = {
  selectperson: 'selectPerson',
  queryexercises: 'queryExercises',
  queryworkouts: 'queryWorkouts',
  openworkout: 'openWorkout',
  getworkoutsforclient: 'getWorkoutsForClient',
  getlistofusers: 'getListOfUsers',
  setcustomid: 'setCustomId',
  clearperson: 'clearPerson',
} as const

/** Command that the web app carries out. */
type HandledCommandName = keyof typeof handlerNames

/** Names of the page's handlers that no command stands for. */
const ownHandlerNames = ['signOut', 'restoreUnsaved', 'launchParameters', 'hasUnsavedWork'] as const

/** Name of a handler that only the wrapper calls. */
export type OwnHandlerName = (typeof ownHandlerNames)[number]

/** Names of all handlers. */
export const allHandlerNames = [...Object.values(handlerNames), ...ownHandlerNames] as const

/** Name of a handler of the page. */
export type HandlerName = (typeof allHandlerNames)[number]

/** The value of a handler without a reply is ignored. */
type HandlerResult<Name extends HandledCommandName> = Name extends 'selectperson'
  ? SelectPersonAnswer
  : CommandResult<Name> extends undefined
    ? unknown
    : CommandResult<Name>

const commandWaySchema = z.enum(['pipe', 'file', 'arguments'])

/** How a command came to the wrapper: by the pipe, or by a launch with an XML file or with arguments. */
export type CommandWay = z.output<typeof commandWaySchema>

/**
 * A handler gets the arguments of its command and returns the reply. The signal aborts when nobody waits for the reply any more: the
 * call timed out, was canceled, or its user signed out. Give it to `fetch`, and look at it before you show anything: the next command
 * waits until the handler has ended. `via` is `undefined` for a launch that an integrator's provider has read.
 */
type HostHandler<Name extends HandledCommandName> = (
  args: CommandArgs<Name>,
  signal: AbortSignal,
  via: CommandWay | undefined,
) => HandlerResult<Name> | Promise<HandlerResult<Name>>

/** A web app leaves out the commands that it does not have. */
type CommandHandlers = {
  readonly [Name in HandledCommandName as (typeof handlerNames)[Name]]?: HostHandler<Name> | undefined
}

/**
 * Functions of the web app that the wrapper calls. All are optional.
 *
 * `selectPerson` resolves when the person stands in the document; `clearPerson` when nothing in it shows who was in focus, and what is
 * not saved is kept for that user and person. With an id, `clearPerson` is called only if that person is in focus, or may be: a handler
 * that was stopped may have shown it, or the page has not told since the sign-in who is in focus. Of both, the wrapper learns without a
 * call of `personSelected` or `personCleared`.
 */
export interface HostHandlers extends CommandHandlers {
  /**
   * Signs the user out at the service, as the web app's own "Sign out" does. The wrapper calls it when the user chooses Sign out in
   * its menu (`reason` is `user`), or a program asks for it (`journal`). Return when the service has ended the session. After at most
   * 5 seconds the wrapper removes cookies and storage in any case, and loads the web app anew.
   *
   * What the user has not saved can be returned as `{ unsaved: { user, value } }`: `user` as {@link Host.signedIn} names them, `value` of
   * at most 1 MiB as JSON. The wrapper keeps it in memory, and gives it to `restoreUnsaved` when that user signs in again.
   */
  readonly signOut?: ((asked: { readonly reason: EndReason }) => unknown) | undefined
  /** Gets back the `value` that `signOut` has returned for the user who has signed in. */
  readonly restoreUnsaved?: ((kept: { readonly value: unknown }) => unknown) | undefined
  /**
   * Gets the named arguments of a later launch that the wrapper does not know, before the launch's commands, whether or not a user
   * is signed in. Those of the launch that started the wrapper are in {@link HostInfo.launchParameters}. Check the values: any
   * program of the user may launch. An error of this handler does not stop the launch.
   */
  readonly launchParameters?: ((parameters: LaunchParameters) => unknown) | undefined
  /**
   * Tells whether the user would lose something now, such as what is typed in a form. Before it closes for a new version, the wrapper
   * asks every two seconds, for at most two minutes, until the answer is false. Answer within 5 seconds, and change nothing.
   *
   * Without this handler the wrapper asks the document's `beforeunload` listeners, by an event that is not trusted: once, and again
   * in the ten seconds after each input.
   */
  readonly hasUnsavedWork?: (() => boolean | Promise<boolean>) | undefined
}

/** What a user has not saved: `unsaved` of what `signOut` returns, and an argument of {@link Host.signedOut}. */
export interface UnsavedWork {
  /** As {@link Host.signedIn} names the user. */
  readonly user: string
  /** A JSON value. */
  readonly value: unknown
}

/** A web app that has all commands. */
export type AllHandlers = { readonly [Name in keyof HostHandlers]-?: NonNullable<HostHandlers[Name]> }

const launchParametersSchema = z.record(z.string(), z.string())

/** Named arguments of a launch that the wrapper does not know: name in lower case → value. */
export type LaunchParameters = Readonly<z.output<typeof launchParametersSchema>>

/** Codes by which a handler refuses a command. The wrapper's caller gets the same code. */
export type HostCallCode = 'ERR_NOT_FOUND' | 'ERR_NOT_SIGNED_IN' | 'ERR_ARGS' | 'ERR_WEB_APP'

/** One refused argument, without its value. */
export interface HostCallIssue {
  /** Name of the argument, as the handler gets it. */
  readonly path: string
  /** What is wrong, as a clause such as `is unknown`. */
  readonly problem: string
}

/**
 * Thrown by a handler to refuse a command. Code and message reach the partner's program: write no personal data into the message.
 * Of any other error the partner's program only learns that there was one.
 *
 * @example
 * ```ts
 * import { connectHost, HostCallError } from '@service-link/wrapper-host/page'
 *
 * connectHost({
 *   openWorkout({ id }) {
 *     throw new HostCallError('ERR_NOT_FOUND', 'There is no workout with this id.')
 *   },
 * })
 * ```
 */
export class HostCallError extends Error {
  override readonly name = 'HostCallError'
  readonly code: HostCallCode
  readonly issues: readonly HostCallIssue[]

  /** @param issues the refused arguments, with `ERR_ARGS` */
  constructor(code: HostCallCode, message: string, issues: readonly HostCallIssue[] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }
}

/** The ids of a person, as far as they are known. */
export type PersonIds = Pick<PersonInFocus, 'userId' | 'customId'>

/** Whether two persons are known to differ: by the service's id if both have one, else by the partner's. */
export function isOtherPerson(one: PersonIds, other: PersonIds): boolean {
  if (one.userId && other.userId) return one.userId !== other.userId
  return Boolean(one.customId && other.customId) && one.customId !== other.customId
}

/** Version of the messages between host and page, which are JSON values. */
export const bridgeProtocol = 1

/** Facts about the wrapper for the page. */
export interface HostInfo {
  /** Version of the wrapper, four numbers. */
  readonly version: string
  /** The setting `DistributorName`: the company that built the executable. May be empty. */
  readonly distributorName: string
  /**
   * Those of the launch that started the wrapper, until its user signs out; `culture` is the setting `Culture` where the launch
   * names none. A document that is loaded anew gets them again.
   */
  readonly launchParameters: LaunchParameters
}

const hostInfoSchema: z.ZodMiniType<HostInfo> = z.object({
  version: z.string(),
  distributorName: z.string(),
  launchParameters: launchParametersSchema,
})

/** A message of the host, for `receive`. The page returns its answer. */
export const hostMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), protocol: z.int(), info: hostInfoSchema }),
  /** Asks a connected page to say `hello` again. */
  z.object({ type: z.literal('introduce') }),
  /** A host without `cancel` gives no id. */
  z.object({
    type: z.literal('call'),
    id: z.optional(z.int()),
    handler: z.string(),
    args: z.unknown(),
    /** Session of the user for whom it is, as the page has told it. A page with another user refuses the call. */
    session: z.optional(z.int()),
    via: z.catch(z.optional(commandWaySchema), undefined),
  }),
  /** Nobody waits for the answer to that call any more. A page without it ignores this, and works on. */
  z.object({ type: z.literal('cancel'), id: z.int() }),
])

/** See {@link hostMessageSchema}. */
export type HostMessage = z.output<typeof hostMessageSchema>

/** Answer to a `call`. */
export type PageAnswer = Exclude<z.input<typeof pageAnswerSchema>, { readonly type: 'notConnected' }>

/** A message of the page, for `send`. */
export type PageMessage = z.input<typeof pageMessageSchema>

/** The object that the page script leaves in the page as `globalThis.__wrapperHost`. */
export interface HostPort {
  readonly protocol: number
  send(message: PageMessage): void
  /**
   * Sets the function that gets the host's messages.
   *
   * @throws {Error} when there is one already
   */
  connect(receive: (message: unknown) => unknown): void
}
