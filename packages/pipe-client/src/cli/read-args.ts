import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { type Terminal, UsageError } from '@service-link/command-line'
import { type CommandName, foldNames } from '@service-link/protocol-core'
import { maxRequestFrameBytes } from '@service-link/protocol-core/frame'
import { argumentsOf } from './command-facts.ts'

type Entry = readonly [string, unknown]

/**
 * Reads the arguments of a command: `key=value`, `@` and the path of a JSON file, or `-` for standard input.
 *
 * @returns arguments as they travel, under the names of the command
 * @throws {UsageError} on a name that the command does not have, one with two values, a missing or an unreadable value
 */
export async function readArgs(
  command: CommandName,
  words: readonly string[],
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const facts = argumentsOf(command)
  const names = facts.map(({ name }) => name)
  if (words.filter(word => word === '-').length > 1)
    throw new UsageError('Standard input, -, can be read once only.')
  const entries: Entry[] = []
  for (const word of words) entries.push(...(await readWord(word, terminal)))
  const { known, unknown, issues } = foldNames<unknown>(entries, names)
  if (unknown.length > 0)
    throw new UsageError(`${command} has no such argument. It takes ${names.join(', ')}.`)
  if (issues.length > 0) throw new UsageError(`${issues.map(issue => issue.path).join(', ')} is given twice.`)
  const missing = facts.filter(({ name, isRequired }) => isRequired && isAbsent(known[name]))
  if (missing.length > 0)
    throw new UsageError(`${command} needs ${missing.map(({ name }) => name).join(' and ')}.`)
  // A date is left to the wrapper, which knows the culture.
  const misread = facts.find(
    ({ name, type, accepts }) => type === 'integer' && !isAbsent(known[name]) && !accepts(known[name]),
  )
  if (misread) throw new UsageError(`${misread.name} needs a whole number.`)
  return known
}

/** Empty text and null count as absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

async function readWord(word: string, terminal: Terminal): Promise<readonly Entry[]> {
  if (word === '-') return readObject(await readStdinText(terminal), 'Standard input')
  if (word.startsWith('@')) {
    const what = 'The file after @'
    return readObject(await readFileText(word.slice(1), what), what)
  }
  const at = word.indexOf('=')
  if (at < 1)
    throw new UsageError('Arguments have the form key=value, or @ and a file, or - for standard input.')
  const name = word.slice(0, at)
  const value = word.slice(at + 1)
  return [[name, name.toLowerCase() === 'profiledata' ? await readProfileData(value) : value]]
}

function readObject(text: string, what: string): readonly Entry[] {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${what} needs to hold one JSON object of arguments.`)
  return Object.entries(value)
}

/** Profile data is JSON, given in place or as `@` and the path of a file. */
async function readProfileData(text: string): Promise<unknown> {
  const what = 'The file after profiledata=@'
  const isFile = text.startsWith('@')
  const value = parseJson(isFile ? await readFileText(text.slice(1), what) : text)
  if (value === undefined)
    throw new UsageError(isFile ? `${what} does not hold JSON.` : 'profiledata needs JSON.')
  return value
}

/**
 * `undefined` for text that is not JSON, or holds a number such as 1e400: it would travel as null. The parser's message
 * is dropped because it may repeat the text.
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

function readFileText(path: string, what: string): Promise<string> {
  return readText(createReadStream(path, { end: maxRequestFrameBytes }), what)
}

function readStdinText({ stdin, isTypedIn, tell }: Terminal): Promise<string> {
  if (isTypedIn)
    tell(
      'Type or paste the arguments as one JSON object, and end with Ctrl+D (on Windows Ctrl+Z and Enter).\n',
    )
  return readText(stdin, 'Standard input')
}

/**
 * Reads UTF-8 text without its byte order mark.
 *
 * @param what first words of a message: the path may be personal
 */
async function readText(stream: Readable, what: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes > maxRequestFrameBytes) break
    }
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${reasonOf(error)}.`)
  }
  if (bytes > maxRequestFrameBytes)
    throw new UsageError(`${what} is longer than a wrapper accepts, ${maxRequestFrameBytes} bytes.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new UsageError(`${what} is not UTF-8 text.`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
}

/** The system's message repeats the path, so only its code is told. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return reasons[code] ?? code
}
