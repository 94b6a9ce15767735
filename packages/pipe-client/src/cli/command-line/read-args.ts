import { foldNames } from '@service-link/protocol-core'
import { closestName } from '../facts/closest-name.ts'
import type { ArgumentFacts, CommandFacts } from '../facts/command-facts.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { readFileText, readStdinText } from './read-text.ts'

type Entry = readonly [string, unknown]

/**
 * Reads the arguments of a command as they travel, from `key=value`, from `@` and the path of a JSON file, and from
 * standard input, `-`. They may be mixed; a name may not be given twice with different values.
 *
 * @throws {UsageError} also when a name is not the command's: the wrapper would ignore it, and the person at the terminal
 *   would not learn of the misspelling
 */
export async function readArgs(
  { name, args }: CommandFacts,
  words: readonly string[],
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const names = args.map(argument => argument.name)
  if (words.length > 0 && names.length === 0) throw new UsageError(`${name} takes no arguments.`, name)
  if (words.filter(word => word === '-').length > 1)
    throw new UsageError('Standard input, -, can be read once only.', name)
  const entries: Entry[] = []
  for (const word of words) entries.push(...(await readWord(word, name, terminal)))
  const { known, unknown, issues } = foldNames<unknown>(entries, names)
  const [first] = unknown
  if (first !== undefined) throw new UsageError(`${name} has no such argument.${suggest(first, names)}`, name)
  if (issues.length > 0)
    throw new UsageError(`${issues.map(issue => issue.path).join(', ')} is given twice.`, name)
  assertValues(name, args, known)
  return known
}

/** What the wrapper would refuse in any case is not worth starting one. How it reads a date is its own affair. */
function assertValues(
  command: string,
  args: readonly ArgumentFacts[],
  values: Readonly<Record<string, unknown>>,
): void {
  const missing = args.filter(({ name, isRequired }) => isRequired && isAbsent(values[name]))
  if (missing.length > 0)
    throw new UsageError(`${command} needs ${missing.map(({ name }) => name).join(' and ')}.`, command)
  const misread = args.find(
    ({ name, type, accepts }) => type === 'integer' && !isAbsent(values[name]) && !accepts(values[name]),
  )
  if (misread) throw new UsageError(`${misread.name} needs a whole number.`, command)
}

/** Empty text and null count as absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

async function readWord(word: string, command: string, terminal: Terminal): Promise<readonly Entry[]> {
  if (word === '-') return readObject(await readStdinText(terminal), 'Standard input', command)
  if (word.startsWith('@')) {
    const what = 'The file after @'
    return readObject(await readFileText(word.slice(1), what), what, command)
  }
  const at = word.indexOf('=')
  if (at < 1)
    throw new UsageError(
      'Arguments have the form key=value, or @ and a file, or - for standard input.',
      command,
    )
  const name = word.slice(0, at)
  const value = word.slice(at + 1)
  return [[name, name.toLowerCase() === 'profiledata' ? await readProfileData(value, command) : value]]
}

function readObject(text: string, what: string, command: string): readonly Entry[] {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${what} needs to hold one JSON object of arguments.`, command)
  return Object.entries(value)
}

/** Profile data is JSON, given in place or as `@` and the path of a file. */
async function readProfileData(text: string, command: string): Promise<unknown> {
  const what = 'The file after profiledata=@'
  const isFile = text.startsWith('@')
  const value = parseJson(isFile ? await readFileText(text.slice(1), what) : text)
  if (value === undefined)
    throw new UsageError(isFile ? `${what} does not hold JSON.` : 'profiledata needs JSON.', command)
  return value
}

/**
 * Not even the parser's message is passed on: it may repeat what is in the text. A number such as 1e400, which would be
 * infinite and travel as null, is none.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('Too large.')
      return value
    })
  } catch {
    return undefined
  }
}

function suggest(word: string, names: readonly string[]): string {
  const closest = closestName(word, names)
  return closest === undefined ? ` It takes ${names.join(', ')}.` : ` Did you mean ${closest}?`
}
