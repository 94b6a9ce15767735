import type { CommandArgs, CommandResult } from '@service-link/protocol-core'

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
