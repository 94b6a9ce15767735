import { defineError } from '@service-link/protocol-core/errors'
import { CommanderError, Command as Program } from 'commander'

/** Widest line of a help text, in characters. */
const helpWidth = 90

/** The arguments cannot be understood. The message repeats no given value: it may be personal. */
export class UsageError extends defineError('ERR_USAGE') {}

/**
 * Makes a program whose help, version and errors {@link parseWords} returns. Its subcommands inherit that.
 *
 * @param version printed for `--version`: the package's
 */
export function createProgram(name: string, description: string, version: string): Program {
  return new Program(name)
    .description(description)
    .version(version, '-V, --version', 'prints the version')
    .helpOption('-h, --help', 'prints this')
    .helpCommand(false)
    .commandsGroup('Subcommands:')
    .configureHelp({ helpWidth, subcommandTerm: subcommand => subcommand.name() })
    .exitOverride()
}

/**
 * Parses the arguments after the program's name, and runs the action of the subcommand.
 *
 * @returns the text for `--help` or `--version`
 */
export function parseWords(program: Program, argv: readonly string[]): string | undefined {
  let help = ''
  const output = {
    writeOut: (text: string) => {
      help += text
    },
    // The error carries the message.
    writeErr: () => undefined,
    getOutHelpWidth: () => helpWidth,
    getErrHelpWidth: () => helpWidth,
  }
  for (const each of [program, ...program.commands]) each.configureOutput(output)
  try {
    program.parse(argv, { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return help
    throw new UsageError(sentenceOf(error))
  }
}

/** The library's message as a sentence, without typed values. */
function sentenceOf({ code, message }: CommanderError): string {
  const suggestion = /\((Did you mean [^()]*\?)\)$/.exec(message)?.[1]
  const more = suggestion === undefined ? '' : ` ${suggestion}`
  if (code === 'commander.help') return 'Name a subcommand.'
  if (code === 'commander.unknownCommand') return `There is no such subcommand.${more}`
  if (code === 'commander.unknownOption') return `There is no such option.${more}`
  if (code === 'commander.excessArguments')
    return `Too many arguments${message.match(/ for '\w+'/)?.[0] ?? ''}.`
  if (code !== 'commander.invalidArgument') return asSentence(message.replace(/^error: /, ''))
  const typedEnd = message.lastIndexOf("' is invalid")
  const [, argument, reason = ''] =
    /^' is invalid(?: for argument '(\w+)')?\. (.*)$/s.exec(message.slice(typedEnd)) ?? []
  return asSentence(`${argument ?? /^error: option '([^']*)'/.exec(message)?.[1]}: ${reason}`)
}

function asSentence(text: string): string {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1).trim()}`
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}
