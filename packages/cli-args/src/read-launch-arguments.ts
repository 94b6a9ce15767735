import type { Command } from '@service-link/protocol-core'
import { ArgsError, type ArgsIssue } from '@service-link/protocol-core/errors'
import {
  findTextProblem,
  foldNames,
  hasTypographicQuotes,
  indexNames,
  maxLaunchArguments,
  quotesProblem,
  readFlag,
  trimId,
  trimText,
} from '@service-link/protocol-core/person'
import {
  argumentNames,
  assertArguments,
  findPayloadProblem,
  maxArgumentLength,
  splitArgument,
} from './grammar.ts'
import { describeStray, describeUnknown, type UnknownArgument } from './misspelled.ts'

/** A launch's arguments, split into names and values, before any provider has looked at them. */
export interface LaunchArguments {
  /** Provider that this launch asks for, `<Type>, <Assembly>`; absent: the setting decides (spec 4.2). */
  readonly provider?: string | undefined
  /** `@` and the path of a file that holds a signed payload of the partner link. The file is not looked into. */
  readonly payload?: string | undefined
  /** Whether the launching process waits until the web app has taken the commands. */
  readonly wait: boolean
  /** What the launch ends, whichever provider would read the rest; it brings nothing else. */
  readonly ends?: LaunchEnd | undefined
  /** Path of the XML file, as given; relative to the launching process's directory (spec 4.4). */
  readonly xmlFile?: string | undefined
  /** Person and command arguments: name in lower case → value as given, without surrounding quotes and white space. */
  readonly values: Readonly<Record<string, string>>
  /** Whether any of `values` is filled: the launch brings something for the command-line provider. */
  readonly hasCommands: boolean
  /** Arguments with unknown names, and switches: which were ignored, and what was probably meant. */
  readonly unknown: readonly UnknownArgument[]
  /**
   * Values of the named arguments in `unknown`: name in lower case → value, without surrounding quotes and white space. The
   * wrapper gives them to the web app as launch parameters.
   */
  readonly otherValues: Readonly<Record<string, string>>
}

/** `clearperson=true`, with `id` for one person only, or `signout=true`. */
export type LaunchEnd = Extract<Command, { name: 'clearperson' | 'signout' }>

/** A launch's arguments, with those that only an integrator's provider knows. */
export interface LaunchWords extends LaunchArguments {
  /** Arguments that are neither `name=value`, an `.xml` file nor a `--switch`, such as `acme://open?patient=4711`. */
  readonly words: readonly string[]
}

/**
 * Splits the arguments of a launch into names and values, without reading persons or dates, so that the wrapper can choose
 * the provider first. Names are matched without regard to case (spec 4.3; design: a launch).
 *
 * @param argv arguments after the executable's own name, as the operating system split them
 * @throws {ArgsError} when an argument is neither `name=value` nor an `.xml` file, a value stands in
 *   typographic quotes, a name is given twice with different values, `wait`, `clearperson` or `signout` is not true or false,
 *   `clearperson` or `signout` does not stand alone, `payload` names no file, or a limit is passed; the message holds no value
 * @example
 * ```ts
 * import { readLaunchArguments } from '@service-link/cli-args'
 *
 * const launch = readLaunchArguments(['provider=Acme.Provider, Acme', 'C:\\in\\input.xml'])
 * launch.provider // 'Acme.Provider, Acme'
 * launch.xmlFile // 'C:\\in\\input.xml'
 * ```
 */
export function readLaunchArguments(argv: readonly string[]): LaunchArguments {
  const { words, ...known } = readArguments(argv, false)
  return known
}

/**
 * Splits the arguments of a launch as `readLaunchArguments` does. Also keeps, for an integrator's provider, words that
 * are no `name=value`.
 *
 * @param argv arguments after the executable's own name, as the operating system split them
 * @throws {ArgsError} as `readLaunchArguments` does, but for words
 * @example
 * ```ts
 * import { readLaunchWords } from '@service-link/cli-args'
 *
 * const launch = readLaunchWords(['acme://open?patient=4711', 'acme.user=ola'])
 * launch.words // ['acme://open?patient=4711']
 * launch.otherValues // { 'acme.user': 'ola' }
 * ```
 */
export function readLaunchWords(argv: readonly string[]): LaunchWords {
  return readArguments(argv, true)
}

const argumentIndex = indexNames(argumentNames)

function readArguments(argv: readonly string[], hasWords: boolean): LaunchWords {
  assertArguments(argv)
  if (argv.length > maxLaunchArguments)
    throw new ArgsError([{ path: '', problem: `there are more than ${maxLaunchArguments}` }])
  const { named, files, unknown, switches, words, issues } = sortArguments(argv, hasWords)
  const folded = foldNames(named, argumentIndex)
  const { provider, payload, wait, clearperson, signout, ...values } = folded.known
  const payloadFile = payload?.trim()
  const payloadProblem = payloadFile && findPayloadProblem(payloadFile)
  const isWaiting = readFlag(wait, false)
  const others = foldNames(
    named.filter(([name]) => folded.unknown.includes(name)),
    indexNames(folded.unknown.map(name => name.toLowerCase())),
  )
  const all = [...issues, ...folded.issues, ...others.issues]
  if (isWaiting === undefined) all.push({ path: 'wait', problem: 'must be true or false' })
  const brought = {
    payload: payloadFile,
    ...values,
    ...others.known,
    ...(files[0] === undefined ? {} : { 'the XML file': files[0] }),
  }
  const ends = readEnd({ clearperson, signout }, brought, all)
  if (payloadProblem) all.push({ path: 'payload', problem: payloadProblem })
  if (all.length > 0) throw new ArgsError(all)
  const [xmlFile] = files
  return {
    ...(provider?.trim() ? { provider: normaliseTypeName(provider) } : {}),
    ...(payloadFile ? { payload: payloadFile } : {}),
    wait: isWaiting === true,
    ...(ends ? { ends } : {}),
    ...(xmlFile === undefined ? {} : { xmlFile }),
    values: ends ? {} : values,
    hasCommands: !ends && Object.values(values).some(value => trimText(value) !== ''),
    unknown: [...unknown, ...switches],
    otherValues: others.known,
    words,
  }
}

/** Reads what the launch ends. Beside it, anything else could be meant to happen before or after. */
function readEnd(
  flags: Readonly<Record<'clearperson' | 'signout', string | undefined>>,
  brought: Readonly<Record<string, string | undefined>>,
  issues: ArgsIssue[],
): LaunchEnd | undefined {
  const asked = (['clearperson', 'signout'] as const).filter(name => {
    const is = readFlag(flags[name], false)
    if (is === undefined) issues.push({ path: name, problem: 'must be true or false' })
    return is
  })
  const [name] = asked
  if (name === undefined) return undefined
  const { id = '', ...others } = brought
  const filled = Object.entries(name === 'clearperson' ? others : brought).filter(([, value]) =>
    trimText(value ?? ''),
  )
  const beside = [...asked.slice(1), ...filled.map(([other]) => other)]
  if (beside.length > 0) issues.push({ path: name, problem: `stands alone: leave out ${beside.join(', ')}` })
  if (name === 'signout') return { name, args: {} }
  const customId = trimId(id)
  return { name, args: customId === '' ? {} : { customId } }
}

interface SortedArguments {
  readonly named: (readonly [string, string])[]
  readonly files: string[]
  readonly unknown: UnknownArgument[]
  readonly switches: UnknownArgument[]
  readonly words: string[]
  readonly issues: ArgsIssue[]
}

function sortArguments(argv: readonly string[], hasWords: boolean): SortedArguments {
  const sorted: SortedArguments = { named: [], files: [], unknown: [], switches: [], words: [], issues: [] }
  let wordCount = 0
  for (const [index, argument] of argv.entries()) {
    const place = `argument ${index + 1}`
    const word = sortArgument(argument, place, sorted)
    if (word === undefined) continue
    if (hasWords) sorted.words.push(word)
    // The words after the first are often parts of the same text.
    else if (wordCount++ === 0) {
      const problem = hasTypographicQuotes(word) ? quotesProblem : describeStray(word, argv[index - 1] ?? '')
      sorted.issues.push({ path: '', problem: `${place} ${problem}` })
    }
  }
  return sorted
}

/** Returns the text of a word. */
function sortArgument(
  argument: string,
  place: string,
  { named, files, unknown, switches, issues }: SortedArguments,
): string | undefined {
  const refuse = (problem: string) => void issues.push({ path: '', problem: `${place} ${problem}` })
  if (argument.length > maxArgumentLength) return refuse(`is longer than ${maxArgumentLength} characters`)
  const split = splitArgument(argument)
  const unsound = findTextProblem(argument, maxArgumentLength)
  if (split.kind === 'named') {
    // A valid name has only letters, digits and a few signs, so the problem is in the value.
    const problem = unsound ?? split.problem
    if (problem) issues.push({ path: split.name.toLowerCase(), problem })
    else named.push([split.name, split.value])
    if (!argumentIndex.has(split.name.toLowerCase())) unknown.push(describeUnknown(split, place))
    return undefined
  }
  if (unsound) return refuse(unsound)
  if (split.kind === 'switch') switches.push(describeUnknown(split, place))
  if (split.kind === 'xml-file' && files.push(split.path) > 1 && split.path !== files[0])
    return refuse('names a second XML file: a launch reads one')
  return split.kind === 'stray' ? split.text : undefined
}

/** Writes a type name with the white space that the specification uses. */
function normaliseTypeName(typeName: string): string {
  return typeName
    .split(',')
    .map(part => part.trim())
    .join(', ')
}
