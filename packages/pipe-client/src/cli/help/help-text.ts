import { sessionEventNames, sessionEvents } from '@service-link/protocol-core'
import { allCommandFacts, type CommandFacts } from '../facts/command-facts.ts'
import { commandOf } from '../facts/command-of.ts'
import { optionFacts } from '../facts/option-facts.ts'
import { commandHelp } from './command-help.ts'
import { argumentWords, exitCodesText, optionLines } from './help-parts.ts'
import { wrapText } from './wrap-text.ts'

/** What `service-pipe --help` prints; the commands come from the command table. */
export function helpText(): string {
  return `Sends one command to a running wrapper and prints its answer as JSON.

Usage: service-pipe <command> [key=value …] [options]
       service-pipe <command> @arguments.json [options]
       service-pipe <command> - [options]

Commands
${allCommandFacts.map(describe).join('\n')}

Arguments
  ${wrapText(
    'Named without regard to case; those in brackets may be left out, but a person needs customid or userid. service-pipe <command> --help explains them.',
    '  ',
  )}

  ${wrapText(
    'Other users of the machine can see the command lines of all processes. What is personal is better read from a file of this user’s own, @arguments.json (in PowerShell in quotes), or from standard input, -. Both hold one JSON object of arguments. profiledata takes JSON, or @ and the path of a JSON file.',
    '  ',
  )}

Options
${optionLines(Object.keys(optionFacts))}

${exitCodesText}`
}

function describe(facts: CommandFacts): string {
  return `  ${wrapText([facts.name, ...argumentWords(facts)].join(' '), '      ', 2)}\n      ${wrapText(facts.summary, '      ')}`
}

/** What `service-pipe <command> --help` prints. */
export function helpOf(word: string): string {
  const events = sessionEventNames.map(name => [name, sessionEvents[name].summary] as const)
  return commandHelp(commandOf(word), events)
}
