export {
  type Command,
  type CommandArgs,
  type CommandResult,
  findCommandName,
  type ParseCommandOptions,
  parseCommand,
} from './command.ts'
export {
  type ClassicCommandName,
  type CommandName,
  commandNames,
  commands,
  isClassicCommandName,
  type PageCommandName,
} from './command-table.ts'
export type { CommandDefinition, CommandReply, CommandTarget } from './define-command.ts'
export {
  argsFromPerson,
  personFromArgs,
  type SelectPersonArgs,
  type SelectPersonReply,
  selectPersonArgsSchema,
  selectPersonReplySchema,
} from './select-person.ts'
