import type { CommandArgs, CommandResult } from '@service-link/protocol-core'
import type { HandledCommandName, handlerNames } from './handler-names.ts'

/** A command without a reply takes any value as its end. */
type HandlerResult<Result> = Result extends undefined ? unknown : Result

/** One handler: gets the command's arguments, answers with its reply. */
type HostHandler<Name extends HandledCommandName> = (
  args: CommandArgs<Name>,
) => HandlerResult<CommandResult<Name>> | Promise<HandlerResult<CommandResult<Name>>>

/** The commands that a web app carries out; it may leave out those that it does not have. */
export type HostHandlers = {
  readonly [Name in HandledCommandName as (typeof handlerNames)[Name]]?: HostHandler<Name>
}
