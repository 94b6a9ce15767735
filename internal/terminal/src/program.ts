import { defineError } from '@service-link/protocol-core/errors'
import { CommanderError, Option, Command as Program } from 'commander'

/** Widest line of a help text, in characters. */
const helpWidth = 90

/**
 * The arguments of a program cannot be understood.
 *
 * @remedy See the program’s `--help`. The message repeats no value.
 * @retry no
 * @seenBy partner's developer
 */
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
    .commandsGroup('Subcommands:')
    .helpCommand('help [subcommand]', 'prints this, or the help of a subcommand')
    .configureHelp({ helpWidth, subcommandTerm: subcommand => subcommand.name() })
    .exitOverride()
}

/** Makes an option of a whole number from 1 to `max`. */
export function integerOption(flags: string, summary: string, max: number): Option {
  const option = new Option(flags, summary)
  return option.argParser(text => {
    const value = Number(text)
    if (!/^\d{1,10}$/.test(text) || value < 1 || value > max)
      throw new UsageError(`${option.long} needs a whole number from 1 to ${max}.`)
    return value
  })
}

/**
 * Parses the arguments after the program's name, and runs the action of the subcommand.
 *
 * @returns the text for `--help`, `help` or `--version`
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
    const [word, unknown] = argv
    // By itself the library says which subcommand was meant.
    if (word === 'help' && unknown !== undefined) return parseWords(program, [unknown])
    throw new UsageError(
      findMisplaced(program, argv, error) ??
        findMisspelled(program, argv, error) ??
        sentenceOf(error, program, argv),
    )
  }
}

/** The sentence for a required option that was misspelled. The library tells of missing options first. */
function findMisspelled(
  program: Program,
  argv: readonly string[],
  { code }: CommanderError,
): string | undefined {
  if (code !== 'commander.missingMandatoryOptionValue') return undefined
  for (const option of optionsOf(program)) option.mandatory = false
  try {
    program.parse(argv, { from: 'user' })
    return undefined
  } catch (error) {
    const sentence = error instanceof CommanderError ? sentenceOf(error, program, argv) : ''
    return sentence.includes('Did you mean') ? sentence : undefined
  }
}

/** The sentence for an option of a subcommand that stands before it. */
function findMisplaced(
  program: Program,
  argv: readonly string[],
  { code }: CommanderError,
): string | undefined {
  const [word = ''] = argv
  const typed = word.replace(/=.*/s, '')
  const option = optionsOf(program).find(({ long, short }) => long === typed || short === typed)
  if (code !== 'commander.unknownOption' || !option) return undefined
  const named = program.commands.find(command => argv.includes(command.name()))?.name() ?? '<subcommand>'
  return `Write ${option.long} after the subcommand: ${program.name()} ${named} ${option.flags}`
}

const optionsOf = (program: Program) => program.commands.flatMap(({ options }) => options)

/** The option that was typed in another case, or of which only the beginning was typed. */
function findCased(program: Program, message: string): string {
  const typed = / '(--[\w-]+)/.exec(message)?.[1]?.toLowerCase()
  const meant = typed && optionsOf(program).find(({ long }) => long?.startsWith(typed))?.long
  return meant ? ` Did you mean ${meant}?` : ''
}

/** Subcommands of whose name a part was typed, as the library finds none: `select` for `selectperson`. */
function findLonger(program: Program, [word = '']: readonly string[]): string {
  const typed = word.toLowerCase()
  const longer = program.commands.map(command => command.name()).filter(name => name.includes(typed))
  const isPart = /^[a-z-]{3,}$/.test(typed) && longer.length > 0 && longer.length <= 3
  return isPart ? ` Did you mean ${longer.join(' or ')}?` : ''
}

/** The library's message as a sentence, without typed values. */
function sentenceOf({ code, message }: CommanderError, program: Program, argv: readonly string[]): string {
  const suggestion = /\((Did you mean [^()]*\?)\)$/.exec(message)?.[1]
  const more = suggestion === undefined ? '' : ` ${suggestion}`
  if (code === 'commander.help') return 'Name a subcommand.'
  if (code === 'commander.unknownCommand')
    return `There is no such subcommand.${more || findLonger(program, argv)}`
  if (code === 'commander.unknownOption')
    return `There is no such option.${more || findCased(program, message)}`
  if (code === 'commander.excessArguments') {
    const [owner = '', name] = / for '(\w+)'/.exec(message) ?? []
    const command = program.commands.find(one => one.name() === name)
    if (command?.registeredArguments.length !== 0) return `Too many arguments${owner}.`
    const files = command.options.filter(({ flags }) => flags.endsWith('<file>')).map(({ flags }) => flags)
    return `${name} takes no arguments${files.length > 0 ? `: give a file as ${files.join(' or ')}` : ''}.`
  }
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
