import type * as z from 'zod/mini'
import { ArgsError, MethodError } from '../errors/command-error.ts'
import { findNearName } from '../errors/parameter-error.ts'
import { fieldSynonyms } from '../person/field-synonyms.ts'
import { assertCulture } from '../person/machine-culture.ts'
import { readDate, readIsoDate } from '../person/parse-date.ts'
import type { Person } from '../person/person-types.ts'
import { noteOf, type ReadFieldsOptions } from '../person/read-person.ts'
import { wireName, wirePath } from '../schema/names.ts'
import { readBy } from '../schema/read.ts'
import { foldMembers, indexNames, type NameIndex } from '../text/fold-names.ts'
import { readInteger, readLooseText, trimId } from '../text/text-rules.ts'
import { type CommandName, commandNames, commands, isCommandName } from './command-table.ts'
import type {
  ClearArgs,
  CloseArgs,
  CustomIdArgs,
  OpenWorkoutArgs,
  QueryArgs,
  UsersArgs,
  WorkoutsArgs,
} from './message-types.ts'
import type { SelectPersonArgs } from './select-person.ts'
import { personFromArgs } from './select-person.ts'

/** Arguments of a command once they are parsed: a {@link Person} for `selectperson`, else the table's. */
export type CommandArgs<Name extends CommandName> = Name extends keyof ArgsOf
  ? ArgsOf[Name]
  : Record<string, never>

interface ArgsOf {
  readonly close: CloseArgs
  readonly getworkoutsforclient: WorkoutsArgs
  readonly openworkout: OpenWorkoutArgs
  readonly getlistofusers: UsersArgs
  readonly setcustomid: CustomIdArgs
  readonly selectperson: Person
  readonly clearperson: Omit<ClearArgs, 'id'>
  readonly queryexercises: QueryArgs
  readonly queryworkouts: QueryArgs
}

/** One request to the web app or the window. Every transport turns its bytes into this value. */
export type Command = {
  [Name in CommandName]: { readonly name: Name; readonly args: CommandArgs<Name> } & Extras<Name>
}[CommandName]

/** What the wrapper itself reads of the arguments. */
type Extras<Name extends CommandName> = Name extends 'selectperson'
  ? {
      /** Whether the reply is to have a receipt. */
      readonly receipt?: boolean | undefined
    }
  : unknown

/** Context of {@link parseCommand}. */
export type ParseCommandOptions = ReadFieldsOptions

/**
 * Finds a command's name without regard to case.
 *
 * @param known names that the error lists. Default: all commands
 * @throws {MethodError} when there is no such command; the message does not repeat what was sent
 */
export function findCommandName(method: string, known: readonly string[] = commandNames): CommandName {
  const folded = method.trim().toLowerCase()
  if (!isCommandName(folded)) throw new MethodError(`There is no such command. Known: ${known.join(', ')}.`)
  return folded
}

/**
 * Parses the arguments of a command as they travel on the pipe. Names are matched without regard to case, arguments that
 * the command does not know are ignored and noted, integers may be decimal strings, texts may be numbers. An optional field of a
 * person that cannot be read is left out. An `openworkout` that opens nothing is told in the same way, see {@link opensNothing}.
 *
 * @param rawArgs the `Args` member; missing, null, an empty list and a blank text count as no arguments
 * @throws {ArgsError} naming each argument that is missing, ambiguous or of the wrong type
 * @throws {ParameterError} when the culture is not known
 */
export function parseCommand(name: CommandName, rawArgs: unknown, options: ParseCommandOptions): Command {
  assertCulture('options.culture', options.culture)
  const prepare = (sent: SentArgs, unknown: readonly string[]) => {
    noteIgnored(name, sent, unknown, options)
    return withoutVainUserId(name, sent)
  }
  const args: unknown = parseArgs(commands[name].args, rawArgs, prepare)
  if (name === 'selectperson') {
    const { receipt, ...person } = args as SelectPersonArgs
    return { name, args: personFromArgs(person, options), ...(receipt ? { receipt } : {}) }
  }
  if (name === 'getworkoutsforclient') return { name, args: checkWorkoutArgs(args as WorkoutArgs, options) }
  if (name === 'clearperson') {
    const { id, customId = id, ...others } = args as ClearArgs
    return { name, args: { ...others, ...(customId === undefined ? {} : { customId }) } }
  }
  const command = { name, args } as Command
  if (opensNothing(command)) options.onDropped?.({ path: 'id', problem: 'is no workout: nothing is opened' })
  return command
}

/** Whether a command is an `openworkout` of 0 or of a negative id. Programs in the field send it for no workout: it does nothing. */
export function opensNothing(command: Command): boolean {
  return command.name === 'openworkout' && command.args.id <= 0
}

/** Most unknown arguments of one request that are noted. */
const maxNoted = 10

/** An ignored filter returns other persons: the sender is told each argument that had no effect. */
function noteIgnored(
  name: CommandName,
  sent: SentArgs,
  unknown: readonly string[],
  { onNoted = () => undefined }: ParseCommandOptions,
): void {
  const isBlank = typeof sent.customId === 'string' && trimId(sent.customId) === ''
  if (name === 'getlistofusers' && isBlank)
    onNoted({ path: 'customid', problem: 'is empty: all users are returned' })
  if (unknown.length === 0) return
  const { args } = commands[name]
  const known = Object.keys(args.shape).map(member => wireName(args, member))
  for (const one of unknown.slice(0, maxNoted)) {
    const near = findNearName(one, known, fieldSynonyms('pipe'))
    // Another name may be anything, and goes to the log: it is not repeated.
    if (near !== undefined && known.includes(near))
      onNoted({ path: one, problem: `is not known and was ignored; write ${near}` })
    else onNoted({ path: 'Args', problem: 'has an argument that is not known and was ignored' })
  }
}

type SentArgs = Readonly<Record<string, unknown>>

/** Commands with both ids of one person. */
const namesPerson: ReadonlySet<CommandName> = new Set(['selectperson', 'clearperson', 'getworkoutsforclient'])

/**
 * Programs in the field fill both ids: beside a `customId`, a `userId` that is no positive integer is not given. In `selectperson`
 * 0 is kept: it tells that the user is new. `getworkoutsforclient` and `clearperson` have nobody for 0 or less, also alone: it is
 * not given then.
 */
function withoutVainUserId(name: CommandName, sent: SentArgs): SentArgs {
  const { userId: asProgram, userid: userId = asProgram, ...others } = sent
  if (userId === undefined || !namesPerson.has(name)) return sent
  const id = typeof userId === 'string' ? readInteger(userId) : userId
  const isNew = id === 0 && name === 'selectperson'
  const isNumber = typeof id === 'number' && Number.isSafeInteger(id)
  const isNobody = isNumber && id <= 0 && name !== 'selectperson'
  const hasCustomId = [others.customId, others.customid, others.id].some(
    text => trimId(readLooseText(text).text) !== '',
  )
  const isVain = isNobody || (hasCustomId && !isNew && !(isNumber && id > 0))
  return isVain ? others : sent
}

type WorkoutArgs = CommandArgs<'getworkoutsforclient'>

function checkWorkoutArgs(args: WorkoutArgs, options: ParseCommandOptions): WorkoutArgs {
  const { customId, userId, from } = args
  if (customId === undefined && userId === undefined)
    throw new ArgsError([{ path: 'customid', problem: 'is missing (customid or userid is needed)' }])
  return from === undefined ? args : { ...args, from: parseFrom(from, options) }
}

/**
 * `from` is 'a parseable date': a date, or a date and time whose date counts. No date of birth: any year of ISO 8601 will do.
 *
 * @returns nothing for a value that means no date
 */
function parseFrom(from: string, { culture, onNoted }: ParseCommandOptions): string | undefined {
  const reading = readDate(from, culture)
  if (reading.isAbsent) return undefined
  if (reading.decided) onNoted?.(noteOf('from', reading.decided))
  const date = reading.date ?? readIsoDate(from).date
  if (date === undefined) throw new ArgsError([{ path: 'from', problem: String(reading.problem) }])
  return date
}

const indexes = new WeakMap<z.ZodMiniObject, NameIndex>()

function indexOf(schema: z.ZodMiniObject): NameIndex {
  const index = indexes.get(schema) ?? indexNames(Object.keys(schema.shape))
  indexes.set(schema, index)
  return index
}

/** PHP writes no arguments as an empty list. */
function isNothing(args: unknown): boolean {
  if (typeof args === 'string') return args.trim() === ''
  return args === undefined || args === null || (Array.isArray(args) && args.length === 0)
}

/**
 * Parses arguments as they travel on the pipe. Names are matched without regard to case, those that the schema does not
 * know are ignored.
 *
 * @param schema of a row of a table
 * @param rawArgs the `Args` member; missing, null, an empty list and a blank text count as no arguments
 * @param prepare changes the arguments that the schema knows before it reads them; gets the names of the others, too
 * @throws {ArgsError} naming each argument that is missing, ambiguous or of the wrong type
 */
export function parseArgs<Schema extends z.ZodMiniObject>(
  schema: Schema,
  rawArgs: unknown,
  prepare: (sent: SentArgs, unknown: readonly string[]) => SentArgs = sent => sent,
): z.output<Schema> {
  const args = isNothing(rawArgs) ? {} : rawArgs
  if (typeof args !== 'object' || !args || Array.isArray(args))
    throw new ArgsError([{ path: '', problem: 'Args must be an object' }])
  const { known, unknown, issues } = foldMembers(args, indexOf(schema))
  const reading = readBy(schema, prepare(known, unknown))
  const all = [...issues, ...(reading.issues ?? [])]
  if (all.length > 0 || reading.issues)
    throw new ArgsError(all.map(({ path, problem }) => ({ path: wirePath(path), problem })))
  return reading.value
}
