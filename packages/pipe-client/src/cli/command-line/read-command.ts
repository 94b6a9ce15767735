import { sessionEventNames } from '@service-link/protocol-core'
import type { WrapperEventType } from '../../client/wrapper-client.ts'
import { closestName } from '../facts/closest-name.ts'
import { type Shell, shells, tableNameOf } from '../facts/command-facts.ts'
import { commandOf } from '../facts/command-of.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import type { CommandLine } from './command-line.ts'
import { assertOptions, readCount, readTarget } from './option-values.ts'
import { readArgs } from './read-args.ts'
import type { ReadOptions } from './read-options.ts'

/**
 * Reads a command other than `list`, with what follows it.
 *
 * @param word the command's name as it was typed
 * @param rest the words after it
 * @throws {UsageError}
 */
export async function readCommand(
  word: string,
  rest: readonly string[],
  options: ReadOptions['options'],
  terminal: Terminal,
): Promise<CommandLine> {
  const facts = commandOf(word)
  assertOptions(facts.name, options)
  if (facts.name === 'completion') return { action: 'completion', shell: readShell(rest) }
  const target = readTarget(options)
  if (facts.name === 'watch')
    return { action: 'watch', target, events: readEvents(rest), count: readCount(options.count) }
  const name = tableNameOf(facts)
  if (name !== undefined)
    return { action: 'command', target, name, args: await readArgs(facts, rest, terminal) }
  if (rest.length > 0) throw new UsageError(`${facts.name} takes no arguments.`, facts.name)
  return { action: 'status', target }
}

function readEvents(words: readonly string[]): WrapperEventType[] | undefined {
  if (words.length === 0) return undefined
  return words.map(word => {
    const event = sessionEventNames.find(name => name === word.toLowerCase())
    if (event !== undefined) return event
    const closest = closestName(word, sessionEventNames)
    const known =
      closest === undefined ? ` Known: ${sessionEventNames.join(', ')}.` : ` Did you mean ${closest}?`
    throw new UsageError(`There is no such event.${known}`, 'watch')
  })
}

function readShell([word, ...rest]: readonly string[]): Shell {
  const shell = shells.find(name => name === word?.toLowerCase())
  if (shell === undefined || rest.length > 0)
    throw new UsageError(`completion needs the name of a shell: ${shells.join(', ')}.`, 'completion')
  return shell
}
