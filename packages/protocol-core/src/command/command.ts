import type { z } from 'zod'
import { readDate, readIsoDate } from '../date/parse-date.ts'
import { ArgsError, MethodError } from '../errors/command-error.ts'
import type { Person } from '../person/person.ts'
import { type CommandName, commandNames, commands, isCommandName } from './command-table.ts'
import { parseArgs } from './parse-args.ts'
import { personFromArgs, type SelectPersonArgs } from './select-person.ts'

/** Arguments of a command once they are parsed: a {@link Person} for `selectperson`, else the table's. */
export type CommandArgs<Name extends CommandName> = Name extends 'selectperson'
  ? Person
  : z.output<(typeof commands)[Name]['args']>

/** Value that a command answers with; `undefined` where it answers with nothing. */
export type CommandResult<Name extends CommandName> = (typeof commands)[Name]['reply'] extends infer Reply
  ? Reply extends z.ZodType
    ? z.output<Reply>
    : Reply extends 'text'
      ? string
      : undefined
  : never

/** One thing asked of the web app or the window; what every transport makes of its bytes. */
export type Command = {
  [Name in CommandName]: { readonly name: Name; readonly args: CommandArgs<Name> }
}[CommandName]

/** Context of {@link parseCommand}. */
export interface ParseCommandOptions {
  /** BCP 47 tag whose order of day and month is tried after ISO 8601. */
  readonly culture: string
}

/**
 * Finds a command's name without regard to case.
 *
 * @throws {MethodError} when there is no such command; the message does not repeat what was sent
 */
export function findCommandName(method: string): CommandName {
  const folded = method.trim().toLowerCase()
  if (!isCommandName(folded))
    throw new MethodError(`There is no such command. Known: ${commandNames.join(', ')}.`)
  return folded
}

/**
 * Parses the arguments of a command as they travel on the pipe. Names are matched without regard to case, arguments that
 * the command does not know are ignored, integers may be decimal strings.
 *
 * @param rawArgs the `Args` member; missing and null count as no arguments
 * @throws {ArgsError} naming each argument that is missing, ambiguous or of the wrong type
 * @example
 * ```ts
 * import { parseCommand } from '@service-link/protocol-core'
 *
 * parseCommand('openworkout', { ID: '17' }, { culture: 'nb-NO' }) // { name: 'openworkout', args: { id: 17 } }
 * ```
 */
export function parseCommand(name: CommandName, rawArgs: unknown, options: ParseCommandOptions): Command {
  const args: unknown = parseArgs(commands[name].args, rawArgs)
  if (name === 'selectperson')
    return { name, args: personFromArgs(args as SelectPersonArgs, options.culture) }
  if (name === 'getworkoutsforclient')
    return { name, args: checkWorkoutArgs(args as WorkoutArgs, options.culture) }
  return { name, args } as Command
}

type WorkoutArgs = CommandArgs<'getworkoutsforclient'>

function checkWorkoutArgs(args: WorkoutArgs, culture: string): WorkoutArgs {
  const { customid, userid, from } = args
  if (customid === undefined && userid === undefined)
    throw new ArgsError([{ path: 'customid', problem: 'is missing (customid or userid is needed)' }])
  return from === undefined ? args : { ...args, from: parseFrom(from, culture) }
}

/** `from` is 'a parseable date': a date, or a date and time whose date counts. No date of birth: any year of ISO 8601 will do. */
function parseFrom(from: string, culture: string): string {
  const [, dateOfDateTime] = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/.exec(from) ?? []
  const text = dateOfDateTime ?? from
  const iso = readIsoDate(text)
  const { date, problem } = iso.date === undefined ? readDate(text, culture) : iso
  if (date === undefined) throw new ArgsError([{ path: 'from', problem }])
  return date
}
