import { Command, CommanderError } from 'commander'
import { UsageError } from './cli-errors.ts'
import type { CommandLine } from './command-line.ts'
import { addExplainCommand } from './commands/explain-command.ts'
import { addKeygenCommand } from './commands/keygen-command.ts'
import { addPostCommand } from './commands/post-command.ts'
import { addSignCommand } from './commands/sign-command.ts'
import { addVerifyCommand } from './commands/verify-command.ts'

const exitCodesText = `
Exit codes: 0 done; 2 wrong usage, or a file or key that cannot be used; 3 the service or a key set cannot be
reached; 4 refused, by the service or by the checks that it makes; 130 Ctrl+C.
Data goes to standard output, text for people to standard error.
`

/**
 * Reads the arguments of `service-payload`.
 *
 * @param argv arguments after the script's own name
 * @throws {UsageError} when they ask for nothing that exists
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  let request: CommandLine | undefined
  let help = ''
  const choose = (chosen: CommandLine) => {
    request = chosen
  }
  const program = new Command('service-payload')
    .description(
      'The partner’s side of the partner link: make keys, sign payloads, and find out why one is refused.',
    )
    .helpOption('-h, --help', 'prints this')
    .helpCommand(false)
    .addHelpText('after', exitCodesText)
    .configureOutput({
      writeOut: text => {
        help += text
      },
      // The message comes with the error.
      writeErr: () => undefined,
      getOutHelpWidth: () => 110,
      getErrHelpWidth: () => 110,
    })
    .exitOverride()
  for (const add of [addKeygenCommand, addSignCommand, addVerifyCommand, addExplainCommand, addPostCommand])
    add(program, choose)
  try {
    program.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { action: 'help', text: help }
    throw new UsageError(sentenceOf(error))
  }
  if (!request) throw new UsageError('Name a command.')
  return request
}

/** The library's message as a sentence. */
function sentenceOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'Name a command.'
  const text = message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim()
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.?)!]$/.test(sentence) ? sentence : `${sentence}.`
}
