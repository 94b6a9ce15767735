import {
  argumentsOf,
  type CommandDefinition,
  type CommandName,
  type CommandReply,
  commandNames,
  commands,
  isClassicCommandName,
  memberNamesOf,
  sessionEventNames,
  sessionEvents,
  sessionMethods,
} from '@service-link/protocol-core'
import type { Brand } from '@service-link/protocol-core/brand'
import {
  Argument,
  createProgram,
  type Program,
  parseWords,
  UsageError,
  wrapText,
} from '@service-link/terminal'
import manifest from '../../package.json' with { type: 'json' }
import type { WrapperEventType } from '../client/wrapper-client.ts'
import { tellForm } from './read-args.ts'
import {
  addBrandOptions,
  addTargetOptions,
  type BrandValues,
  readBrand,
  readTarget,
  type Target,
  type TargetValues,
  valueOption,
} from './target-options.ts'

/** A parsed subcommand. */
export type Subcommand =
  | { readonly action: 'help'; readonly text: string }
  | { readonly action: 'list'; readonly brand: Brand }
  | { readonly action: 'status'; readonly target: Target }
  | {
      readonly action: 'watch'
      readonly target: Target
      /** Default: all usual events. */
      readonly events: readonly WrapperEventType[] | undefined
      /** Number of events after which it ends. */
      readonly count: number | undefined
      /** Whether it goes on with the wrapper that runs next. */
      readonly reconnect: boolean
    }
  | {
      readonly action: 'command'
      readonly target: Target
      readonly name: CommandName
      /** Arguments as they were typed. */
      readonly words: readonly string[]
    }

export type WatchLine = Extract<Subcommand, { action: 'watch' }>

/** Reads the arguments of `service-pipe`. */
export function readSubcommand(argv: readonly string[]): Subcommand {
  let line: Subcommand | undefined
  const program = createProgram(
    'service-pipe',
    'Sends one command to a running wrapper and prints its answer as JSON.',
    manifest.version,
  )
    .usage('<subcommand> [key=value … | @arguments.json | -] [options]')
    .addHelpText('after', `\n${argumentsText}\n\n${exitCodesText}`)

  const list = addSubcommand(program, 'list', 'Lists the running wrappers of this user.', {
    prints: 'an array of objects: pid, version, desktop, address',
  }).action((options: BrandValues) => {
    line = { action: 'list', brand: readBrand(options) }
  })
  addBrandOptions(list)

  addTargetOptions(
    addSubcommand(program, 'status', sessionMethods.status.summary, {
      prints: 'an object: pid, version, loaded, signedin, person, focusnumber',
      isSessionOnly: true,
    }),
  ).action((options: TargetValues) => {
    line = { action: 'status', target: readTarget(options) }
  })

  const events = sessionEventNames.map(name => new Argument(`[${name}]`, sessionEvents[name].summary))
  addTargetOptions(
    addSubcommand(
      program,
      'watch',
      'Prints what happens in the wrapper, until it exits or Ctrl+C is pressed.',
      {
        usage: '[event …] [options]',
        rows: events,
        example: 'personselected',
        prints: 'one JSON object a line: event, data',
        isSessionOnly: true,
      },
    )
      .argument('[event...]')
      .addOption(
        valueOption('--count <number>', 'ends after that many events', {
          pattern: /^[1-9]\d{0,8}$/,
          needs: 'a whole number above 0.',
        }),
      )
      .option(
        '--reconnect',
        'goes on with the wrapper that runs next, and prints it as the event reconnected: others may be missed',
      ),
  ).action((words: readonly string[], options: TargetValues & Pick<WatchLine, 'count' | 'reconnect'>) => {
    const { count, reconnect = false } = options
    line = { action: 'watch', target: readTarget(options), events: readEvents(words), count, reconnect }
  })

  for (const name of commandNames)
    addTableCommand(program, name, found => {
      line = found
    })

  const name = namedSubcommand(argv)
  assertNoDashes(name, argv, program)
  const text = parseWords(program, name === undefined ? argv : [name, ...argv.slice(1)])
  if (text !== undefined) return { action: 'help', text }
  if (!line) throw new UsageError('Name a subcommand.')
  return line
}

/** Refuses an argument that is written as an option, such as `--id 3`: the library would take it for another option. */
function assertNoDashes(name: string | undefined, argv: readonly string[], program: Program): void {
  const command = commandNames.find(known => known === name)
  if (command === undefined) return
  const options = program.commands.flatMap(({ options }) => options.map(({ long }) => long))
  const words = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined)
  for (const word of words.filter(
    word => word.startsWith('-') && !options.includes(word.replace(/=.*/s, '')),
  )) {
    const names = argumentsOf(command).map(argument => argument.name)
    const typed = word.replace(/^-+|[=:].*/gs, '').toLowerCase()
    if (names.includes(typed)) throw new UsageError(tellForm(typed))
  }
}

/** The command at the start of a command line, without regard to case. */
export function namedSubcommand([word = '']: readonly string[]): string | undefined {
  return ['list', 'status', 'watch', ...commandNames].find(name => name === word.toLowerCase())
}

const needsSession = 'Needs a wrapper of version 3.0.0.0 or newer, for the session mode of the pipe.'

function addTableCommand(program: Program, name: CommandName, found: (line: Subcommand) => void): void {
  const { summary, reply }: CommandDefinition = commands[name]
  const args = argumentsOf(name)
  const command = addSubcommand(program, name, summary, {
    ...(args.length > 0 ? { usage: '[key=value … | @arguments.json | -] [options]' } : {}),
    rows: args.map(argument => {
      const spelled = `${argument.name}=<${argument.type}>`
      return new Argument(argument.isRequired ? `<${spelled}>` : `[${spelled}]`, argument.summary)
    }),
    example: exampleArguments[name],
    note: name === 'selectperson' ? personFile : undefined,
    prints: describeReply(reply),
    isSessionOnly: !isClassicCommandName(name),
  })
  addTargetOptions(command)
  if (isClassicCommandName(name))
    command.option(
      '--classic',
      'drives a wrapper that publishes no record, of another maker or before 3.0.0.0; needs --pid',
    )
  if (args.length > 0) command.argument('[word...]')
  command.action(() =>
    found({ action: 'command', target: readTarget(command.opts()), name, words: command.args }),
  )
}

/** Arguments in the example of a command's help. */
const exampleArguments: Readonly<Record<CommandName, string>> = {
  hide: '',
  show: '',
  version: '',
  close: 'signout=false',
  log: '',
  getworkoutsforclient: 'userid=5 from=2024-01-01',
  openworkout: 'id=17',
  getlistofusers: 'customid=4711',
  setcustomid: 'userid=5 customid=4711',
  selectperson: '@person.json',
  clearperson: 'customid=4711',
  signout: '',
  queryexercises: 'text=knee',
  queryworkouts: 'text=knee',
}

/** The reply of a command in words. */
function describeReply(reply: CommandReply): string {
  if (reply === 'none') return 'null'
  if (reply === 'text') return 'text'
  const names = memberNamesOf(reply).join(', ')
  return reply.def.type === 'array' ? `an array of objects: ${names}` : `an object: ${names}`
}

/** The help of a command. */
interface SubcommandHelp {
  readonly usage?: string
  /** Arguments after the command's name. */
  readonly rows?: readonly Argument[]
  readonly example?: string
  readonly note?: string | undefined
  readonly prints: string
  readonly isSessionOnly?: boolean
}

function addSubcommand(
  program: Program,
  name: string,
  summary: string,
  { usage = '[options]', rows = [], example = '', note, prints, isSessionOnly = false }: SubcommandHelp,
): Program {
  const lines = [
    `\nExample\n  ${`service-pipe ${name} ${example}`.trim()}\n`,
    ...(note === undefined ? [] : [`${note}\n`]),
    `Prints\n  ${wrapText(prints, 90, '  ')}\n`,
    exitCodesText,
  ]
  return program
    .command(name)
    .description(isSessionOnly ? `${summary} ${needsSession}` : summary)
    .summary(summary)
    .usage(usage)
    .configureHelp({
      visibleArguments: () => [...rows],
      argumentTerm: argument => (argument.required ? argument.name() : `[${argument.name()}]`),
    })
    .addHelpText('after', lines.join('\n'))
}

const argumentsText = `Arguments
  ${wrapText(
    'Named without regard to case. service-pipe <subcommand> --help explains them; those in brackets may be left out, but a person needs customid or userid.',
    90,
    '  ',
  )}

  ${wrapText(
    'Other users of the machine can see the command lines of all processes. Give personal data in a file that only this user may read, @arguments.json (in PowerShell in quotes), or on standard input, -. Both hold one JSON object of arguments. profiledata takes JSON, or @ and the path of a JSON file.',
    90,
    '  ',
  )}`

const personFile = `where person.json is a file that only this user may read, such as
  {"customid": "4711", "firstname": "Kari", "lastname": "Nordmann",
   "dateofbirth": "1980-04-03", "profiledata": []}`

/** The last paragraph of every help. */
const exitCodesText = `Data goes to standard output as JSON, text for people to standard error.
Exit codes: 0 done, 2 wrong usage, 3 no wrapper is running, 4 the wrapper refused or did
not answer.`

function readEvents(words: readonly string[]): WrapperEventType[] | undefined {
  if (words.length === 0) return undefined
  return words.map(word => {
    const event = sessionEventNames.find(name => name === word.toLowerCase())
    if (event === undefined)
      throw new UsageError(`There is no such event. Known: ${sessionEventNames.join(', ')}.`)
    return event
  })
}
