import { sessionEventNames, sessionEvents } from '@service-link/protocol-core'
import { allCommandFacts, type CommandFacts } from '../facts/command-facts.ts'
import { type OptionFacts, optionFacts, optionsOf } from '../facts/option-facts.ts'

/** One word that can be completed, with a line that explains it; both in ASCII, without a line break. */
export interface CompletionWord {
  readonly word: string
  readonly summary: string
}

/** What can follow a command. */
export interface CommandWords extends CompletionWord {
  /** Arguments, with their equals sign, or words. */
  readonly args: readonly CompletionWord[]
  readonly options: readonly CompletionWord[]
}

/** Every command with what can follow it, from the tables of commands, events and options. */
export function completionWords(): readonly CommandWords[] {
  return allCommandFacts.map(facts => ({
    word: facts.name,
    summary: plain(facts.summary),
    args: argsOf(facts),
    options: optionsOf(facts.name).map(name => ({
      word: `--${name}`,
      summary: plain(optionFacts[name].summary),
    })),
  }))
}

/** The options that are followed by a value. */
export function optionsWithValue(): readonly string[] {
  return Object.entries<OptionFacts>(optionFacts)
    .filter(([, { value }]) => value !== undefined)
    .map(([name]) => `--${name}`)
}

function argsOf({ args, words }: CommandFacts): readonly CompletionWord[] {
  if (words.length > 0) return words.map(word => ({ word, summary: plain(summaryOfEvent(word)) }))
  return args.map(({ name, summary, type }) => ({ word: `${name}=`, summary: plain(summary || type) }))
}

function summaryOfEvent(word: string): string {
  const event = sessionEventNames.find(name => name === word)
  return event === undefined ? '' : sessionEvents[event].summary
}

/**
 * The first sentence, without what a shell could take for something else: typographic quotation marks end a text in
 * PowerShell, which may also read what a program prints in another encoding.
 */
function plain(summary: string): string {
  const [sentence = ''] = summary.split(/\.(?: |$)/)
  return sentence
    .replaceAll('’', "'")
    .replaceAll('…', '...')
    .replace(/[^ -~]/g, ' ')
}
