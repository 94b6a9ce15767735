import type { CommandArgs, CommandResult, Person } from '@service-link/protocol-core'

/** Name of the page's handler for each command that the web app carries out. */
export const handlerNames = {
  selectperson: 'selectPerson',
  queryexercises: 'queryExercises',
  queryworkouts: 'queryWorkouts',
  openworkout: 'openWorkout',
  getworkoutsforclient: 'getWorkoutsForClient',
  getlistofusers: 'getListOfUsers',
  setcustomid: 'setCustomId',
} as const

/** Command that the web app carries out. */
export type HandledCommandName = keyof typeof handlerNames

/** Name of the page's handler that ends the user's session; no command of a partner calls it. */
export const signOutHandler = 'signOut'

/** Name of a handler of the page. */
export type HandlerName = (typeof handlerNames)[HandledCommandName] | typeof signOutHandler

/** A command without a reply takes any value as its end. */
type HandlerResult<Result> = Result extends undefined ? unknown : Result

/** One handler: gets the command's arguments, answers with its reply. */
type HostHandler<Name extends HandledCommandName> = (
  args: CommandArgs<Name>,
) => HandlerResult<CommandResult<Name>> | Promise<HandlerResult<CommandResult<Name>>>

/** The commands that a web app carries out; it may leave out those that it does not have. */
type CommandHandlers = {
  readonly [Name in HandledCommandName as (typeof handlerNames)[Name]]?: HostHandler<Name>
}

/** What a web app does for the wrapper; it may leave out what it does not have. */
export interface HostHandlers extends CommandHandlers {
  /**
   * Signs the user out at the service, as the user's own "Sign out" does; done when the service has ended the session. The user
   * chose Sign out in the wrapper's menu. Whatever this does, at most 5 seconds later the wrapper forgets cookies and storage
   * and loads the web app anew.
   */
  signOut?(): unknown
}

/** Codes by which a handler refuses a command; the caller of the wrapper gets them as they are. */
export type HostCallCode = 'ERR_NOT_FOUND' | 'ERR_NOT_SIGNED_IN' | 'ERR_ARGS' | 'ERR_WEB_APP'

/** One argument that is not acceptable; holds no value. */
export interface HostCallIssue {
  /** Name of the argument. */
  readonly path: string
  /** What is wrong, as a clause such as `is unknown`. */
  readonly problem: string
}

/**
 * Thrown by a handler to refuse a command. Code and message reach the partner who gave the command: write no personal data
 * into the message. Of any other error that a handler throws, the partner learns nothing but that there was one.
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

  /** @param issues with `ERR_ARGS`: which arguments */
  constructor(code: HostCallCode, message: string, issues: readonly HostCallIssue[] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }
}

// What host and page say to each other, as JSON values. Shared by both sides; types only, apart from the version.

/** Version of these messages. */
export const bridgeProtocol = 1

/** What the host tells the page of itself. */
export interface HostInfo {
  /** Version of the wrapper, four numbers. */
  readonly version: string
  /** Company that built the executable; empty when the setting `DistributorName` is. */
  readonly distributorName: string
}

/** From the host, through `receive`; the page's return value is the answer. */
export type HostMessage =
  | { readonly type: 'welcome'; readonly protocol: number; readonly info: HostInfo }
  /** Asks a page that is connected to say `hello` again. */
  | { readonly type: 'introduce' }
  | { readonly type: 'call'; readonly handler: string; readonly args: unknown }

/** Answer to a `call`. */
export type PageAnswer =
  | { readonly type: 'result'; readonly value?: unknown }
  | {
      readonly type: 'failure'
      readonly code: HostCallCode
      readonly message: string
      readonly issues?: readonly HostCallIssue[]
    }

/** From the page, through `send`. */
export type PageMessage =
  | {
      readonly type: 'hello'
      readonly protocol: number
      readonly handlers: readonly HandlerName[]
      readonly isSignedIn: boolean
      readonly person?: Person
    }
  | { readonly type: 'bye' }
  | { readonly type: 'signedIn' }
  | { readonly type: 'signedOut' }
  | { readonly type: 'personSelected'; readonly person: Person }

/** What the page script leaves in the page as `globalThis.__wrapperHost`. */
export interface HostPort {
  readonly protocol: number
  send(message: PageMessage): void
  /**
   * Has the host's messages come to a function; the function returned ends it.
   *
   * @throws {Error} when there is such a function already
   */
  connect(receive: (message: HostMessage) => unknown): () => void
}
