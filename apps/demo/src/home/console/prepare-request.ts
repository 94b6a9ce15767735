import { type BuildArgumentsOptions, buildArguments } from '@service-link/cli-args'
import {
  type ArgsIssue,
  argumentsOf,
  type Command,
  type CommandName,
  commands,
  defaultBrand,
  isClassicCommandName,
  isServiceLinkError,
  type LaunchPerson,
  machineCulture,
  parseCommand,
  writeClassicRequest,
  writeSessionRequest,
} from '@service-link/protocol-core'
import { buildXmlInput } from '@service-link/xml-input'

/** The ways by which a command can be sent. */
export const transports = ['arguments', 'xml', 'classic', 'session'] as const

export type Transport = (typeof transports)[number]

/** A command as the page's form has it: each argument as text, empty ones too. */
export interface FormRequest {
  readonly transport: Transport
  readonly command: CommandName
  readonly args: Readonly<Record<string, string>>
}

/** Bytes of a request, or why they cannot be made. */
export type Prepared =
  | { readonly kind: 'launch'; readonly argv: readonly string[]; readonly xml?: string }
  | { readonly kind: 'frame'; readonly body: string }
  | { readonly kind: 'problem'; readonly problem: string }

type LaunchContent = Pick<
  BuildArgumentsOptions,
  'person' | 'queryExercises' | 'queryWorkouts' | 'openWorkout'
>

/** What a launch carries for a command; `undefined` for those that the pipe alone has. */
function launchContent({ name, args }: Command): LaunchContent | undefined {
  // The writer names what is missing of a person.
  if (name === 'selectperson') return { person: args as LaunchPerson<'arguments'> }
  if (name === 'queryexercises') return { queryExercises: args.text }
  if (name === 'queryworkouts') return { queryWorkouts: args.text }
  return name === 'openworkout' ? { openWorkout: args.id } : undefined
}

const launchNames: readonly CommandName[] = ['selectperson', 'queryexercises', 'queryworkouts', 'openworkout']

function transportsOf(name: CommandName): readonly Transport[] {
  const has: Readonly<Record<Transport, boolean>> = {
    arguments: launchNames.includes(name),
    xml: launchNames.includes(name) && name !== 'openworkout',
    classic: isClassicCommandName(name),
    session: true,
  }
  return transports.filter(transport => has[transport])
}

/** Most arguments that a form shows at once. */
const mostShown = 4

/** Optional arguments that nearly every sender fills in. */
const commonNames: ReadonlySet<string> = new Set(['customid', 'dateofbirth'])

/** The forms of all commands, derived from the command table: required arguments first, then common ones, and apart the others. */
export function describeForms() {
  return Object.entries(commands).map(([key, { summary }]) => {
    const name = key as CommandName
    const args = argumentsOf(name)
      .map(({ accepts, ...facts }) => ({ ...facts, isObsolete: facts.summary.startsWith('Obsolete') }))
      .toSorted((a, b) => rankOf(a) - rankOf(b))
    const shown = args.length > mostShown ? args.filter(arg => rankOf(arg) < 2) : args
    const facts = { name, summary, transports: transportsOf(name) }
    return { ...facts, args: shown, moreArgs: args.slice(shown.length) }
  })
}

interface RankedArgument {
  readonly name: string
  readonly isRequired: boolean
  readonly isObsolete: boolean
}

const rankOf = ({ name, isRequired, isObsolete }: RankedArgument) =>
  isRequired ? 0 : commonNames.has(name) ? 1 : isObsolete ? 3 : 2

/** Makes the bytes of a request. A frame is sent as it was filled in, so that the wrapper's refusals can be seen. */
export function prepareRequest({ transport, command, args }: FormRequest): Prepared {
  if (!transportsOf(command).includes(transport))
    return { kind: 'problem', problem: `${command} does not travel this way.` }
  try {
    const wireArgs = argsAsSent(command, args)
    if (transport === 'classic' && isClassicCommandName(command))
      return { kind: 'frame', body: writeClassicRequest(command, wireArgs) }
    if (transport === 'session') return { kind: 'frame', body: writeSessionRequest(1, command, wireArgs) }
    const dropped: string[] = []
    const onDropped = ({ path, problem }: ArgsIssue) => dropped.push(`${path} ${problem}.`)
    const parsed = parseCommand(command, wireArgs, { culture: machineCulture(), onDropped })
    if (dropped.length > 0) return { kind: 'problem', problem: dropped.join(' ') }
    const content = launchContent(parsed) ?? {}
    const { providers } = defaultBrand
    if (transport === 'arguments')
      return { kind: 'launch', argv: buildArguments({ provider: providers.arguments, ...content }) }
    const { openWorkout, ...xmlContent } = content
    const xml = buildXmlInput(xmlContent as Parameters<typeof buildXmlInput>[0])
    return { kind: 'launch', argv: [`provider=${providers.legacyXml}`], xml }
  } catch (error) {
    if (isServiceLinkError(error)) return { kind: 'problem', problem: error.message }
    throw error
  }
}

function argsAsSent(command: CommandName, args: Readonly<Record<string, string>>): Record<string, unknown> {
  const filled = argumentsOf(command).flatMap(({ name, type }) => {
    const text = args[name]?.trim()
    return text ? [[name, type === 'text' ? text : readJson(text)] as const] : []
  })
  return Object.fromEntries(filled)
}

/** A number or JSON; text that is neither travels as it is. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
