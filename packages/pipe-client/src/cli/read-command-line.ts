import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type ClassicCommandName,
  commands,
  findCommandName,
  foldNames,
  isClassicCommandName,
} from '@service-link/protocol-core'
import { type Brand, defineBrand } from '@service-link/protocol-core/brand'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { UsageError } from './usage-error.ts'

/** What the person at the terminal asks for. */
export type CommandLine =
  | { readonly action: 'help' }
  | { readonly action: 'list'; readonly brand: Brand }
  | {
      readonly action: 'command'
      readonly brand: Brand
      readonly name: ClassicCommandName
      /** Arguments as they travel. */
      readonly args: Readonly<Record<string, unknown>>
      readonly pid: number | undefined
      readonly timeoutMs: number | undefined
    }

/**
 * Reads the arguments of `service-pipe`.
 *
 * @param argv arguments after the script's own name
 * @throws {UsageError} when they ask for nothing that exists
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { values, positionals } = parseOptions(argv)
  if (values.help) return { action: 'help' }
  const [word, ...pairs] = positionals
  if (word === undefined) throw new UsageError('Name a command.')
  const brand = readBrand(values['pipe-prefix'])
  if (word.toLowerCase() === 'list') {
    if (pairs.length > 0) throw new UsageError('list takes no arguments.')
    return { action: 'list', brand }
  }
  const name = readName(word)
  return {
    action: 'command',
    brand,
    name,
    args: readArgs(name, pairs),
    pid: readPid(values.pid),
    timeoutMs: readTimeout(values.timeout),
  }
}

function parseOptions(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        pid: { type: 'string' },
        timeout: { type: 'string' },
        'pipe-prefix': { type: 'string' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.')
  }
}

function readBrand(pipePrefix: string | undefined): Brand {
  try {
    return defineBrand(pipePrefix === undefined ? {} : { pipePrefix })
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    throw new UsageError('--pipe-prefix needs at most 32 letters, digits, underscores or hyphens.')
  }
}

function readName(word: string): ClassicCommandName {
  try {
    const name = findCommandName(word)
    if (isClassicCommandName(name)) return name
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
  }
  throw new UsageError('There is no such command.')
}

function readPid(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new UsageError('--pid needs a process id.')
  return Number(text)
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > 86_400)
    throw new UsageError('--timeout needs a number of seconds above 0, at most 86400.')
  return Math.ceil(seconds * 1000)
}

function readArgs(name: ClassicCommandName, pairs: readonly string[]): Readonly<Record<string, unknown>> {
  const entries = pairs.map(readPair)
  const { known, unknown, issues } = foldNames(entries, Object.keys(commands[name].args.shape))
  // The wrapper would ignore it, and the person at the terminal would not learn of the misspelling.
  if (unknown.length > 0) throw new UsageError(`${name} takes no argument of the name ${unknown.join(', ')}.`)
  if (issues.length > 0) throw new UsageError(`${issues.map(issue => issue.path).join(', ')} is given twice.`)
  return 'profiledata' in known ? { ...known, profiledata: readJson(String(known.profiledata)) } : known
}

function readPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=')
  if (at < 1) throw new UsageError('Arguments have the form key=value.')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** Profile data is JSON, given in place or as `@` and the path of a file. */
function readJson(text: string): unknown {
  const isFile = text.startsWith('@')
  try {
    return JSON.parse(isFile ? readFileSync(text.slice(1), 'utf8').replace(/^\uFEFF/, '') : text)
  } catch {
    throw new UsageError(
      isFile ? 'The file named after profiledata=@ cannot be read as JSON.' : 'profiledata needs JSON.',
    )
  }
}
