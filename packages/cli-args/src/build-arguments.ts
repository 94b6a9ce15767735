import type { LaunchPerson } from '@service-link/protocol-core'
import {
  assertBrand,
  type Brand,
  type BuiltInProvider,
  defaultBrand,
  findBuiltInProvider,
  readTypeName,
} from '@service-link/protocol-core/brand'
import { ArgsError, type ArgsIssue, assertParameter } from '@service-link/protocol-core/errors'
import {
  findIdProblem,
  findTextProblem,
  hasTypographicQuotes,
  maxTextLength,
  personSynonyms,
  trimText,
  writePersonFields,
} from '@service-link/protocol-core/person'
import { besidePerson, findPayloadProblem, isQuoted, maxArgumentLength, personArguments } from './grammar.ts'

/** The content of a launch. Absent and empty members are left out of the argument list. */
export interface BuildArgumentsOptions {
  /** Provider that reads the launch, `<Type>, <Assembly>`; without it the wrapper's setting decides, which by default is the XML provider. */
  readonly provider?: string | undefined
  /** Person to select or create; needs `customId`, `firstname`, `lastname` and `dateOfBirth`, or the fields that `brand` names. A literal with a field that the command line does not carry, such as `ssn`, does not compile; otherwise such fields are left out. */
  readonly person?: LaunchPerson<'arguments'> | undefined
  /** Text of an exercise query. */
  readonly queryExercises?: string | undefined
  /** Text of a workout query. */
  readonly queryWorkouts?: string | undefined
  /** Id of the workout to open. */
  readonly openWorkout?: number | undefined
  /** Takes the person out of focus; with `customId`, only if it is that person. Stands alone, and reaches a running wrapper only. */
  readonly clearPerson?: boolean | { readonly customId: string } | undefined
  /** Signs the user out of the web app; the wrapper stays. Stands alone, and reaches a running wrapper only. */
  readonly signOut?: boolean | undefined
  /** Whether the started process waits until the web app has taken the commands. Default `false`. */
  readonly wait?: boolean | undefined
  /**
   * `@` and the path of a file that holds a signed payload of the partner link, a JWT in compact form. The person is in it,
   * so `person` is left out. The payload itself is refused: other users of the machine can read arguments.
   */
  readonly payload?: string | undefined
  /** Names the required fields of a person. Default: the brand of the specification. */
  readonly brand?: Brand | undefined
}

/**
 * Writes the argument list of a launch (spec 4.3), to be given to a process starter that takes a list and no
 * shell. A value is one argument whatever it holds: quotes, spaces, `=` and line breaks come back as they are.
 *
 * @returns arguments after the executable's own name; `parseArguments` reads them back
 * @throws {ParameterError} when an option or a field of the person is not known or is of another kind
 * @throws {ArgsError} naming the options and fields, when `provider` is no type name or reads nothing of what is given, the person lacks a required field or has one that is no date or too long, a value holds a NUL
 *   character or half of a surrogate pair, which no operating system passes on, `openWorkout` is not an integer, `payload`
 *   names no file, a person comes with a payload, or anything else comes with `clearPerson` or `signOut`
 * @example
 * ```ts
 * import { buildArguments } from '@service-link/cli-args'
 *
 * const person = { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' }
 * buildArguments({ person, queryExercises: 'knee' })
 * // ['id=4711', 'firstname=Ola', 'lastname=van Dyk', 'dateofbirth=1980-04-03', 'queryexercises=knee']
 * ```
 */
export function buildArguments(options: BuildArgumentsOptions): string[] {
  assertParameter('options', options, 'closed', members, personSynonyms())
  if (options.brand !== undefined) assertBrand('options.brand', options.brand)
  const { provider, person, queryWorkouts, queryExercises, openWorkout, wait, payload } = options
  const { clearPerson = false, signOut = false } = options
  if (typeof clearPerson !== 'boolean')
    assertParameter('options.clearPerson', clearPerson, 'closed', { customId: 'text' })
  const cleared = typeof clearPerson === 'object' ? clearPerson.customId : undefined
  const written = person && writePersonFields('options.person', person, personArguments(options.brand))
  const issues: ArgsIssue[] = [...(written?.issues ?? [])]
  const values: readonly (readonly [name: string, value: string | undefined, ...unknown[]])[] = [
    ['provider', provider],
    ['payload', payload],
    ['wait', wait ? 'true' : undefined],
    ['clearPerson', clearPerson ? 'true' : undefined],
    ['signOut', signOut ? 'true' : undefined],
    ['id', cleared],
    ...(written?.values ?? []),
    ['queryWorkouts', queryWorkouts],
    ['queryExercises', queryExercises],
    ['openWorkout', openWorkout?.toString()],
  ]
  if (provider?.trim() && !readTypeName(provider.trim()))
    issues.push({
      path: 'provider',
      problem: `must be "<Type>, <Assembly>", such as "${defaultBrand.providers.arguments}"`,
    })
  const chosen = provider?.trim() ? findBuiltInProvider(options.brand ?? defaultBrand, provider) : undefined
  const given = { person, queryWorkouts, queryExercises, openWorkout, payload }
  const [unread] = chosen ? Object.keys(given).filter(name => isUnread(chosen, name, given)) : []
  if (unread !== undefined)
    issues.push({ path: 'provider', problem: `names a provider that does not read ${unread}` })
  if (payload?.trim() && person) issues.push({ path: 'payload', problem: besidePerson(['person']) })
  const end = clearPerson ? 'clearPerson' : 'signOut'
  const beside = Object.entries({ ...given, ...(clearPerson && signOut ? { signOut } : {}) })
    .filter(([, value]) => isFilled(value))
    .map(([name]) => name)
  if ((clearPerson || signOut) && beside.length > 0)
    issues.push({ path: end, problem: `stands alone: leave out ${beside.join(', ')}` })
  if (typeof clearPerson === 'object') {
    const problem = findIdProblem(clearPerson.customId)
    if (problem) issues.push({ path: 'clearPerson.customId', problem })
  }
  if (openWorkout !== undefined && !Number.isSafeInteger(openWorkout))
    issues.push({ path: 'openWorkout', problem: 'must be an integer' })
  const argv: string[] = []
  for (const [option, value] of values) {
    const text = trimText(value ?? '')
    if (!text) continue
    const name = option.toLowerCase()
    const problem = findProblem(name, text)
    if (problem) issues.push({ path: option, problem })
    // The reader takes off one pair of quotes, so a quoted value gets a second pair.
    const isWrapped = isQuoted(text) || hasTypographicQuotes(text)
    argv.push(`${name}=${isWrapped ? `"${text}"` : text}`)
  }
  if (issues.length > 0) throw new ArgsError(issues)
  return argv
}

/** What a built-in provider takes from the command line. The others are an XML file's, and the pipe's. */
const takenBy: Partial<Record<BuiltInProvider, readonly string[]>> = {
  arguments: ['person', 'queryWorkouts', 'queryExercises', 'openWorkout'],
  partnerLink: ['payload', 'queryWorkouts', 'queryExercises', 'openWorkout'],
}

function isUnread(
  provider: BuiltInProvider,
  name: string,
  given: Readonly<Record<string, unknown>>,
): boolean {
  return isFilled(given[name]) && !takenBy[provider]?.includes(name)
}

function isFilled(value: unknown): boolean {
  return String(value ?? '').trim() !== ''
}

const members = {
  provider: 'text?',
  person: 'object?',
  queryExercises: 'text?',
  queryWorkouts: 'text?',
  openWorkout: 'number?',
  wait: 'boolean?',
  clearPerson: 'any?',
  signOut: 'boolean?',
  payload: 'text?',
  brand: 'any?',
} as const

function findProblem(name: string, text: string): string | undefined {
  const problem = findTextProblem(text, name.startsWith('query') ? maxTextLength : maxArgumentLength)
  const payloadProblem = name === 'payload' ? findPayloadProblem(text) : undefined
  const isTooLong = name.length + text.length + 3 > maxArgumentLength
  return (
    problem ?? payloadProblem ?? (isTooLong ? `is longer than ${maxArgumentLength} characters` : undefined)
  )
}
