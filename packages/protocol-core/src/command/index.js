export { findCommandName, parseCommand, } from './command.ts';
export { commandNames, commands, isClassicCommandName, } from './command-table.ts';
export { argsFromPerson, personFromArgs, selectPersonArgsSchema, selectPersonReplySchema, } from './select-person.ts';
