import type { CommandArgs, CommandResult } from '@service-link/protocol-core'
import type { HandledCommandName, handlerNames } from './handler-names.ts'

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
