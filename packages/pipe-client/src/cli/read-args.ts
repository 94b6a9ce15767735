import { argumentsOf, type CommandName, foldNames, indexNames } from '@service-link/protocol-core'
import { isName } from '@service-link/protocol-core/errors'
import { maxRequestFrameBytes } from '@service-link/protocol-core/frame'
import {
  fieldSynonyms,
  findArgument,
  hasTypographicQuotes,
  quotesProblem,
} from '@service-link/protocol-core/person'
import { Deadline } from '@service-link/protocol-core/time'
import { FileError, readText, type Terminal, UsageError } from '@service-link/terminal'

type Entry = readonly [string, unknown]

const synonyms = fieldSynonyms('pipe')

/** Where arguments are read. */
interface ArgumentsSource {
  readonly terminal: Terminal
  /** Ends the wait for a file or a pipe. */
  readonly signal: AbortSignal | undefined
}

/**
 * Reads the arguments of a command: `key=value`, `@` and the path of a JSON file, or `-` for standard input.
 *
 * @param timeoutMs longest wait for all that is not typed in, in milliseconds. Default: none
 * @returns arguments as they travel, under the names of the command
 */
export async function readArgs(
  command: CommandName,
  words: readonly string[],
  terminal: Terminal,
  timeoutMs?: number,
): Promise<Readonly<Record<string, unknown>>> {
  const facts = argumentsOf(command)
  const names = facts.map(({ name }) => name)
  if (words.filter(word => word === '-').length > 1)
    throw new UsageError('Standard input, -, can be read once only.')
  const entries = await readWords(words, names, terminal, timeoutMs)
  const { known, unknown, issues } = foldNames<unknown>(entries, indexNames(names))
  if (unknown.length > 0) {
    const meant = findArgument(`${unknown[0]}=`, names, synonyms)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    const named = unknown[0] !== undefined && isName(unknown[0]) ? `argument ${unknown[0]}` : 'such argument'
    throw new UsageError(`${command} has no ${named}.${hint} It takes ${names.join(', ')}.`)
  }
  if (issues.length > 0) throw new UsageError(`${issues.map(issue => issue.path).join(', ')} is given twice.`)
  const missing = facts.filter(({ name, isRequired }) => isRequired && isAbsent(known[name]))
  if (missing.length > 0)
    throw new UsageError(`${command} needs ${missing.map(({ name }) => name).join(' and ')}.`)
  // A program in the field may fill each field of a person, and leave some empty.
  const empty = facts.find(({ name }) => Object.hasOwn(known, name) && isAbsent(known[name]))
  if (empty && command !== 'selectperson')
    throw new UsageError(`${empty.name} is empty: fill it, or leave it out.`)
  // The wrapper checks dates: it knows the culture.
  const misread = facts.find(
    ({ name, type, accepts }) => needs[type] && !isAbsent(known[name]) && !accepts(known[name]),
  )
  if (misread) throw new UsageError(`${misread.name} needs ${needs[misread.type]}.`)
  return known
}

const needs: Readonly<Record<string, string>> = { integer: 'a whole number', boolean: 'true or false' }

/** Empty text and null count as absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** The sentence for an argument that is not written as one. */
export function tellForm(name: string): string {
  return `Write ${name}=… as one argument, without dashes, colons and blanks.`
}

async function readWords(
  words: readonly string[],
  names: readonly string[],
  terminal: Terminal,
  timeoutMs: number | undefined,
): Promise<readonly Entry[]> {
  const timeoutError = () =>
    new UsageError(
      `Not all arguments arrived within ${timeoutMs} ms: end their file or pipe after the last one, or give a longer --timeout.`,
    )
  using limit = timeoutMs === undefined ? undefined : new Deadline(timeoutMs).limit(timeoutError)
  const entries: Entry[] = []
  for (const word of words)
    entries.push(...(await readWord(word, names, { terminal, signal: limit?.signal })))
  return entries
}

async function readWord(
  word: string,
  names: readonly string[],
  source: ArgumentsSource,
): Promise<readonly Entry[]> {
  if (word === '-') return readObject(await readInput('-', '', source), 'Standard input')
  if (word.startsWith('@')) {
    const file = 'The file after @'
    return readObject(await readInput(word.slice(1), file, source), file)
  }
  if (hasTypographicQuotes(word.trim())) throw new UsageError(`An argument ${quotesProblem}.`)
  if (/^\s*[{[]/.test(word))
    throw new UsageError('JSON is read from a file, @arguments.json, or from standard input, -.')
  const at = word.indexOf('=')
  if (at < 1) {
    const meant = findArgument(word, names, synonyms)
    throw new UsageError(
      meant === undefined
        ? 'Arguments have the form key=value without blanks, or @ and a file, or - for standard input.'
        : tellForm(meant),
    )
  }
  const name = word.slice(0, at)
  const value = word.slice(at + 1)
  if (hasTypographicQuotes(value.trim())) throw new UsageError(`${name} ${quotesProblem}.`)
  return [[name, name.toLowerCase() === 'profiledata' ? await readProfileData(value, source) : value]]
}

function readObject(text: string, what: string): readonly Entry[] {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${what} needs to hold one JSON object of arguments.`)
  return Object.entries(value)
}

/** Profile data is JSON, given in place or as `@` and the path of a file. */
async function readProfileData(text: string, source: ArgumentsSource): Promise<unknown> {
  const file = 'The file after profiledata=@'
  const isFile = text.startsWith('@')
  const value = parseJson(isFile ? await readInput(text.slice(1), file, source) : text)
  if (value === undefined)
    throw new UsageError(isFile ? `${file} does not hold JSON.` : 'profiledata needs JSON.')
  return value
}

/**
 * Returns `undefined` for text that is not JSON, or has a number such as 1e400, which would travel as null. The parser's message
 * may repeat the text, so it is dropped.
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

/** @param file first words of a message: the path may be personal */
async function readInput(
  path: string,
  file: string,
  { terminal, signal: limit }: ArgumentsSource,
): Promise<string> {
  const content = 'the arguments as one JSON object'
  const signal = path === '-' && terminal.isTypedIn ? undefined : limit
  try {
    return await readText({ path, file, content, maxBytes: maxRequestFrameBytes, signal }, terminal)
  } catch (error) {
    throw error instanceof FileError ? new UsageError(error.message) : error
  }
}
