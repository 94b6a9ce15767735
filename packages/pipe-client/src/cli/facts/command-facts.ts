import {
  type CommandDefinition,
  type CommandName,
  type CommandReply,
  commandNames,
  commands,
  isClassicCommandName,
  sessionEventNames,
  sessionMethods,
} from '@service-link/protocol-core'

/** One argument of a command. */
export interface ArgumentFacts {
  readonly name: string
  readonly type: 'text' | 'integer' | 'JSON'
  readonly isRequired: boolean
  /** Whether a value can be it; a text may still be none of its kind, such as a date that is not one. */
  readonly accepts: (value: unknown) => boolean
  /** What is known of it; may be empty. */
  readonly summary: string
}

/** What `service-pipe` knows of a command, for its help and for completion. */
export interface CommandFacts {
  readonly name: string
  readonly summary: string
  /** Given as `key=value`. */
  readonly args: readonly ArgumentFacts[]
  /** Words that may follow it. */
  readonly words: readonly string[]
  /** What is written after its name in the usage, in place of its arguments. */
  readonly takes?: string
  /** What is typed after its name in an example; empty for nothing. */
  readonly example: string
  /** What it prints. */
  readonly prints: string
  readonly needsSession: boolean
}

/** Shells that `completion` knows. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** One of {@link shells}. */
export type Shell = (typeof shells)[number]

const none = { args: [], words: [], example: '', needsSession: false }

/** What is no command of the command table. */
const ownCommands: readonly CommandFacts[] = [
  {
    ...none,
    name: 'list',
    summary: 'Lists the running wrappers of this user.',
    prints: 'an array of objects: pid, address, session (of login; null where it cannot be told)',
  },
  {
    ...none,
    name: 'status',
    summary: sessionMethods.status.summary,
    prints: 'an object: pid, version, loaded, signedin, person',
    needsSession: true,
  },
  {
    ...none,
    name: 'watch',
    summary: 'Prints what happens in the wrapper, until it exits or Ctrl+C is pressed.',
    words: sessionEventNames,
    takes: '[event …]',
    example: 'personselected',
    prints: 'one JSON object a line: event, data',
    needsSession: true,
  },
  {
    ...none,
    name: 'completion',
    summary: 'Prints a script that lets the Tab key complete commands, arguments, events and process ids.',
    words: shells,
    takes: shells.join('|'),
    example: 'bash',
    prints: 'the script',
  },
]

const examples: Readonly<Record<CommandName, string>> = {
  hide: '',
  show: '',
  version: '',
  close: '',
  getworkoutsforclient: 'userid=5 from=2024-01-01',
  openworkout: 'id=17',
  getlistofusers: 'customid=4711',
  setcustomid: 'userid=5 customid=4711',
  selectperson: '@person.json',
  queryexercises: 'text=knee',
  queryworkouts: 'text=knee',
}

/** Every command, ours first, then in the order of the command table. */
export const allCommandFacts: readonly CommandFacts[] = [...ownCommands, ...commandNames.map(factsOf)]

/** The command of the table that facts are about; `undefined` for one of ours. */
export function tableNameOf({ name }: CommandFacts): CommandName | undefined {
  return commandNames.find(known => known === name)
}

function factsOf(name: CommandName): CommandFacts {
  const { summary, reply }: CommandDefinition = commands[name]
  return {
    name,
    summary,
    args: argumentsOf(name),
    words: [],
    example: examples[name],
    prints: describeReply(reply),
    needsSession: !isClassicCommandName(name),
  }
}

function argumentsOf(name: CommandName): ArgumentFacts[] {
  const { args }: CommandDefinition = commands[name]
  const required: unknown = args.meta()?.required
  return Object.entries(args.shape).map(([argument, schema]) => {
    const accepts = (value: unknown) => schema.safeParse(value).success
    return {
      name: argument,
      type: accepts(1) ? 'integer' : accepts([]) ? 'JSON' : 'text',
      isRequired: !accepts(undefined) || (Array.isArray(required) && required.includes(argument)),
      accepts,
      summary: schema.description ?? '',
    }
  })
}

function describeReply(reply: CommandReply): string {
  if (reply === 'none') return 'null'
  if (reply === 'text') return 'text'
  if ('element' in reply) return `an array of objects: ${namesOf(reply.element)}`
  return `an object: ${namesOf(reply)}`
}

function namesOf(schema: unknown): string {
  const hasShape = typeof schema === 'object' && schema !== null && 'shape' in schema
  return hasShape ? Object.keys(schema.shape as object).join(', ') : ''
}
