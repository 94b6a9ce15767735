import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import type { CommandLine } from './command-line.ts'
import { assertOptions, isPrefixAlone, readBrand } from './option-values.ts'
import { type ReadOptions, readOptions } from './read-options.ts'

/**
 * Reads the arguments of `service-pipe`, and what they name: files, standard input.
 *
 * @param argv arguments after the script's own name
 * @throws {UsageError} when they ask for nothing that exists
 */
export async function readCommandLine(argv: readonly string[], terminal: Terminal): Promise<CommandLine> {
  const { options, words } = readOptions(argv)
  const [word, ...rest] = words
  if (options.help !== undefined) return { action: 'help', text: await helpFor(word) }
  if (word === undefined) throw new UsageError('No command is named.')
  return word.toLowerCase() === 'list'
    ? readList(options, rest)
    : // Loaded late, with all schemas: `list` is called by every press of a Tab key.
      (await import('./read-command.ts')).readCommand(word, rest, options, terminal)
}

function readList(options: ReadOptions['options'], rest: readonly string[]): CommandLine {
  assertOptions('list', options)
  if (rest.length > 0) throw new UsageError('list takes no arguments.', 'list')
  return { action: 'list', brand: readBrand(options), isPrefixAlone: isPrefixAlone(options) }
}

async function helpFor(word: string | undefined): Promise<string> {
  const { helpOf, helpText } = await import('../help/help-text.ts')
  return word === undefined ? helpText() : helpOf(word)
}
