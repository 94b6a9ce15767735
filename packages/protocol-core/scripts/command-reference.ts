import * as z from 'zod/mini'
import {
  type ClassicCommandName,
  type CommandName,
  type CommandReply,
  commandErrorCodes,
  commandNames,
  commands,
  isClassicCommandName,
  sessionEventNames,
  sessionEvents,
  sessionMethods,
} from '../src/index.ts'
import { jsonSchemaOf } from '../src/schema/json-schema.ts'
import { tableOf } from './markdown-table.ts'

const intro = `# Commands

This page is generated from the command table of \`@service-link/protocol-core\` by \`npm run schemas\`. The page
[The pipe](./pipe.md) describes requests and replies. The same table as JSON Schema (draft 2020-12) is in
\`packages/protocol-core/json-schema/\`, one file for the arguments and one for the reply of each command.

The [session mode](./pipe.md#session-mode) of the pipe has every command, its own [methods](#methods-of-the-session-mode),
and [events](#events). This page shows replies of the classic mode. In session mode the reply is the member \`Result\`: null
for no reply, a JSON string for bare text.

- Names of arguments match in any case. Two spellings of one name with different values are refused; of equal spellings the
  last one counts. Unknown arguments are ignored.
- An integer may be a JSON number or a string of decimal digits. A text may be a JSON number.
- Text has at most 4,096 characters (Unicode code points). White space around it is dropped. Empty optional text counts as
  absent.
- Programs in the field send more: see [Older programs](./older-programs.md).
`

const targets = {
  wrapper: 'the wrapper itself',
  window: 'the wrapper’s window',
  page: 'the web app; somebody must be signed in',
}

/** How a launch asks for a command that the classic mode lacks. */
const launchOnly: Readonly<Record<Exclude<CommandName, ClassicCommandName>, string>> = {
  queryexercises: launchPlaces('queryexercises', 'exercisequery'),
  queryworkouts: launchPlaces('queryworkouts', 'workoutquery'),
}

function launchPlaces(argument: string, attribute: string): string {
  return `by the argument \`${argument}\` of the [command line](./command-line.md#arguments), or the attribute \`${attribute}\` of the [XML file](./xml-file.md#root-element)`
}

/** The page `docs/reference/commands.md`. */
export function commandReferenceFile(): { readonly name: string; readonly url: URL; readonly text: string } {
  const name = 'docs/reference/commands.md'
  const overview = commandNames.map(command => [
    `[\`${command}\`](#${command})`,
    `${commands[command].summary}${isClassicCommandName(command) ? '' : ' In session mode only.'}`,
  ])
  const text = [
    intro,
    tableOf(['command', 'what it does'], overview),
    ...commandNames.map(describeCommand),
    describeMethods(),
    describeEvents(),
    describeFailures(),
  ].join('\n')
  return { name, url: new URL(`../../../${name}`, import.meta.url), text }
}

/** The page that describes a section of the specification. */
function linkTo(section: string): string {
  if (section === 'design') return 'not in the specification; programs in the field send it'
  const page = { '4.3': 'command-line.md', '4.5': 'pipe.md' }[section]
  return page === undefined ? `specification ${section}` : `[specification ${section}](${page})`
}

function describeCommand(name: CommandName): string {
  const { summary, target, section, raisesWindow } = commands[name]
  const facts = [
    `- carried out by ${targets[target]}`,
    ...(raisesWindow ? ['- brings the window to the front'] : []),
    `- ${linkTo(section)}`,
  ]
  const { args, reply } = commands[name]
  const isClassic = isClassicCommandName(name)
  const modes = isClassic
    ? ''
    : `Over the pipe in session mode only. A launch can ask for the same: ${launchOnly[name]}.\n\n`
  return `## ${name}\n\n${summary}\n\n${facts.join('\n')}\n\n${modes}${describeArguments(args)}\n${describeReply(isClassic ? reply : z.null())}`
}

const memberHead = ['type', 'required', 'notes']

interface SchemaNode {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly SchemaNode[]
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
}

function toNode(schema: z.ZodMiniType): SchemaNode {
  return jsonSchemaOf(schema) as SchemaNode
}

function describeArguments(args: z.ZodMiniObject): string {
  const node = toNode(args)
  const rows = describeMembers(node)
  const oneOf = (node.anyOf ?? []).flatMap(({ required = [] }) => required.map(argument => `\`${argument}\``))
  const needed = oneOf.length > 0 ? `\nOne of ${oneOf.join(', ')} is needed.\n` : ''
  if (rows.length === 0) return 'No arguments.\n'
  const entries = node.properties?.profiledata
  const profile = entries ? `\n${describeProfile(entries)}` : ''
  return `${tableOf(['argument', ...memberHead], rows)}${needed}${profile}`
}

function describeProfile({ anyOf = [] }: SchemaNode): string {
  const items = anyOf.find(({ type }) => type === 'array')?.items ?? {}
  return `Members of a profile-data entry. The sender’s own members are [kept exactly](./pipe.md#rules-that-hold-for-every-command), or refused:\n\n${tableOf(['member', ...memberHead], describeMembers(items))}`
}

function describeMembers({ properties = {}, required = [] }: SchemaNode): string[][] {
  return Object.entries(properties).map(([member, node]) => [
    `\`${member}\``,
    typeOf(node),
    required.includes(member) ? 'yes' : 'no',
    (node.enum?.join(' or ') ?? node.description ?? '').replaceAll('|', 'or'),
  ])
}

/** Whether a text is taken that need not be an integer’s decimal digits. */
function isText({ anyOf = [] }: SchemaNode): boolean {
  return anyOf.some(({ type, pattern }) => type === 'string' && pattern === undefined)
}

/** The type in words. The introduction covers decimal strings for integers, and null for absent values. */
function typeOf(node: SchemaNode): string {
  const types = [node, ...(node.anyOf ?? [])].flatMap(({ type = [] }) => type)
  const words = new Set(types.filter(type => type !== 'null'))
  if (words.has('integer') && isText(node)) return 'integer or string'
  if (words.has('integer')) return 'integer'
  return [...words].join(' or ')
}

function describeReply(reply: CommandReply): string {
  if (reply === 'none') return 'Reply: none; the connection closes.\n'
  if (reply === 'text') return 'Reply: bare text, not JSON.\n'
  const node = toNode(reply)
  if (node.type === 'null') return 'Reply: null.\n'
  const isArray = node.items !== undefined
  const rows = describeMembers(node.items ?? node)
  return `Reply: a JSON ${isArray ? 'array; each element has these members, and perhaps others. The [classic mode](./pipe.md#lists-of-the-classic-mode) writes them with a capital letter' : 'object'}:\n\n${tableOf(['member', ...memberHead], rows)}`
}

function describeMethods(): string {
  const parts = Object.entries(sessionMethods).map(
    ([name, { args, reply, summary }]) =>
      `### ${name}\n\n${summary}\n\n${describeArguments(args)}\n${describeReply(reply)}`,
  )
  const intro = `Requests about the connection itself. The wrapper answers them at once; they do not count as in flight.\n`
  return ['## Methods of the session mode\n', intro, ...parts].join('\n')
}

function describeEvents(): string {
  const rows = sessionEventNames.map(name => {
    const members = describeMembers(toNode(sessionEvents[name].data)).map(
      ([member, type]) => `${member} (${type})`,
    )
    return [`\`${name}\``, sessionEvents[name].summary, members.join(', ') || 'null']
  })
  return `## Events

A connection in session mode receives the events that it chose with [\`subscribe\`](#subscribe), as
\`{"Event": "<name>", "Data": …}\`:

${tableOf(['event', 'when', '`Data`'], rows)}`
}

const meanings: Readonly<Record<(typeof commandErrorCodes)[number], string>> = {
  ERR_FRAME: 'The length is below 1 or above the limit, or the connection ended inside a frame.',
  ERR_JSON: 'The body is not UTF-8, not JSON, or not an object.',
  ERR_METHOD: 'There is no such command, or the classic mode lacks it.',
  ERR_ARGS: 'Arguments are missing, ambiguous, too long or of the wrong type; the sentence names each.',
  ERR_NOT_FOUND: 'The workout or user does not exist for the signed-in user.',
  ERR_NOT_SIGNED_IN:
    'Nobody signed in within the time limit, or the user signed out before the web app began. Nothing was done.',
  ERR_TIMEOUT:
    'The web app did not answer in time: whether it had an effect is unknown. Or the turn did not come: nothing was done.',
  ERR_WEB_APP: 'The web app failed, could not be reached, or gave an answer outside its contract.',
  ERR_CLOSING: 'The wrapper is exiting and takes no further command.',
  ERR_BUSY: 'Too many connections, or too much in flight. Nothing was done; try again.',
  ERR_CANCELLED:
    'The client abandoned the request, or the user signed out while the web app was at work. Whether it had an effect is unknown.',
}

function describeFailures(): string {
  const rows = commandErrorCodes.map(code => [`\`${code}\``, meanings[code]])
  return `## Failures

Any command may fail with \`{"error": "<sentence>", "code": "<code>"}\`, in session mode with
\`{"Id": …, "Error": {"Code": "<code>", "Message": "<sentence>", "Details": …}}\`:

${tableOf(['code', 'meaning'], rows)}`
}
