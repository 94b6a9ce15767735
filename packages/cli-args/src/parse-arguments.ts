import type { Command } from '@service-link/protocol-core'
import { assertBrand, type Brand } from '@service-link/protocol-core/brand'
import { ArgsError, type ArgsIssue, assertParameter } from '@service-link/protocol-core/errors'
import {
  assertCulture,
  findTextProblem,
  readInteger,
  readPersonFields,
  trimText,
} from '@service-link/protocol-core/person'
import { besidePerson, commandArgumentNames, personArguments } from './grammar.ts'
import type { UnknownArgument } from './misspelled.ts'
import { type LaunchArguments, readLaunchArguments } from './read-launch-arguments.ts'

/** Options of {@link parseCommandLine} and `parseArguments`. */
export interface ParseArgumentsOptions {
  /** Names the required fields of a person. Default: the brand of the specification. */
  readonly brand?: Brand | undefined
  /** BCP 47 tag that tells day and month apart where a date does not; `und`: nothing does. Default: the machine's culture. */
  readonly culture?: string | undefined
  /** Gets each argument that is left out: an optional field of the person that cannot be read, `openworkout` of 0 or less. Default: nobody. */
  readonly onDropped?: ((issue: ArgsIssue) => void) | undefined
  /**
   * Gets what may be meant in another way: a date whose day and month the culture told apart, where another could have exchanged
   * them; an empty field of a person who is not selected. Default: nobody.
   */
  readonly onNoted?: ((note: ArgsIssue) => void) | undefined
}

const launchMembers = {
  provider: 'text?',
  payload: 'text?',
  wait: 'boolean?',
  ends: 'object?',
  xmlFile: 'text?',
  values: 'object',
  hasCommands: 'boolean?',
  unknown: 'list?',
  otherValues: 'object?',
  words: 'list?',
} as const

const valueMembers = Object.fromEntries(commandArgumentNames.map(name => [name, 'text?'] as const))

/**
 * Turns the arguments of a launch into commands: what the command-line provider does (spec 4.3). The order is
 * select the person, query workouts, query exercises, open a workout, whatever the order of the arguments.
 *
 * @param launch what `readLaunchArguments` made of the launch
 * @returns the commands; none when the launch only starts the wrapper
 * @throws {ArgsError} when some but not all required person arguments are filled, a required date cannot be read, a workout id is
 *   not an integer, a text is longer than 4,096 characters, or person arguments come with a signed payload, which brings a
 *   person of its own; each is named, no value is repeated
 * @throws {ParameterError} when an option is of another kind, or the culture is not known
 * @example
 * ```ts
 * import { parseCommandLine, readLaunchArguments } from '@service-link/cli-args'
 *
 * const launch = readLaunchArguments(['openworkout=17', 'queryexercises=knee'])
 * parseCommandLine(launch) // [{ name: 'queryexercises', args: { text: 'knee' } }, { name: 'openworkout', args: { id: 17 } }]
 * ```
 */
export function parseCommandLine(
  launch: Pick<LaunchArguments, 'values' | 'payload' | 'ends'> & {
    readonly unknown?: LaunchArguments['unknown'] | undefined
  },
  options: ParseArgumentsOptions = {},
): readonly Command[] {
  assertParameter('launch', launch, 'closed', launchMembers)
  assertParameter('launch.values', launch.values, 'closed', valueMembers)
  assertParameter('options', options, 'closed', {
    culture: 'text?',
    onDropped: 'function?',
    onNoted: 'function?',
    brand: 'any?',
  })
  if (options.brand !== undefined) assertBrand('options.brand', options.brand)
  assertCulture('options.culture', options.culture)
  const { values, payload, unknown, ends } = launch
  if (ends) return [ends]
  const commands: Command[] = []
  const issues: ArgsIssue[] = []
  const fields = personArguments(options.brand)
  const filled = fields.filter(({ name }) => trimText(values[name] ?? ''))
  if (payload !== undefined && filled.length > 0) {
    issues.push({ path: 'payload', problem: besidePerson(filled.map(({ name }) => name)) })
  } else if (filled.length > 0) {
    const { person, issues: personIssues } = readPersonFields(values, fields, options)
    commands.push({ name: 'selectperson', args: person })
    issues.push(...personIssues.map(issue => withMeant(issue, unknown)))
  } else {
    for (const { name } of fields)
      if (values[name] !== undefined)
        options.onNoted?.({ path: `${name}=`, problem: 'is empty, and no person is selected' })
  }
  for (const name of ['queryworkouts', 'queryexercises'] as const) {
    const text = trimText(values[name] ?? '')
    if (!text) continue
    const problem = findTextProblem(text)
    if (problem) issues.push({ path: name, problem })
    commands.push({ name, args: { text } })
  }
  const workout = values.openworkout?.trim()
  if (workout) {
    const id = readInteger(workout)
    if (id === undefined) issues.push({ path: 'openworkout', problem: 'must be an integer' })
    else if (id > 0) commands.push({ name: 'openworkout', args: { id } })
    else options.onDropped?.({ path: 'openworkout', problem: 'is no workout: nothing is opened' })
  }
  if (issues.length > 0) throw new ArgsError(issues)
  return commands
}

/** Says where the missing argument probably is. */
function withMeant({ path, problem }: ArgsIssue, unknown: readonly UnknownArgument[] = []): ArgsIssue {
  const written = problem === 'is missing' ? unknown.find(({ meant }) => meant === path) : undefined
  return written
    ? { path, problem: `is missing: write ${path}=… instead of ${written.name}=…` }
    : { path, problem }
}

/** A launch's arguments and the commands that the command-line provider makes of them. */
export interface ParsedArguments extends LaunchArguments {
  /** In the order in which they run. */
  readonly commands: readonly Command[]
}

/**
 * Reads a whole argument list at once: `readLaunchArguments`, then `parseCommandLine`. An XML file is reported, not read.
 *
 * @param argv arguments after the executable's own name, as the operating system split them
 * @throws {ArgsError} as the two functions do
 * @example
 * ```ts
 * import { parseArguments } from '@service-link/cli-args'
 *
 * const { commands } = parseArguments(
 *   ['id=4711', 'firstname=Ola', 'lastname=van Dyk', 'dateofbirth=03.04.1980'],
 *   { culture: 'nb-NO' },
 * )
 * // [{ name: 'selectperson', args: { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' } }]
 * ```
 */
export function parseArguments(
  argv: readonly string[],
  options: ParseArgumentsOptions = {},
): ParsedArguments {
  const launch = readLaunchArguments(argv)
  return { ...launch, commands: parseCommandLine(launch, options) }
}
