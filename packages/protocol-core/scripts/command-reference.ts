import * as z from 'zod/mini'
import {
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
import { jsonSchemaOf } from './json-schema.ts'
import { tableOf } from './markdown-table.ts'

const intro = `# Commands

Generated from the command table of \`@service-link/protocol-core\` by \`npm run schemas\`; as JSON Schema it is in
\`packages/protocol-core/json-schema/\`. [The pipe](./pipe.md#rules-that-hold-for-every-command) describes requests and replies,
[Older programs](./older-programs.md) what programs in the field send beside. In [session mode](./session-mode.md) the reply is
\`Result\`: null for none, a JSON string for the version.
`

/** Who carries a command out; the web app needs somebody signed in, except to clear a person. */
const targets = { wrapper: 'wrapper', window: 'window', page: 'web app, signed in' }

/** The page `docs/reference/commands.md`. */
export function commandReferenceFile(): { readonly name: string; readonly url: URL; readonly text: string } {
  const name = 'docs/reference/commands.md'
  const sections = commandNames.filter(hasSection)
  const overview = commandNames.map(command => {
    const { summary, target, raisesWindow } = commands[command]
    const title = sections.includes(command) ? `[\`${command}\`](#${command})` : `\`${command}\``
    const place = isClassicCommandName(command) ? '' : ' In session mode, and by a launch.'
    const by = command === 'clearperson' ? 'web app' : targets[target]
    return [title, `${summary}${place}`, `${by}${raisesWindow ? '; window to the front' : ''}`]
  })
  const text = [
    intro,
    tableOf(['command', 'what it does', 'by'], overview),
    ...sections.map(describeCommand),
    describeMethods(),
    describeEvents(),
    describeFailures(),
  ].join('\n')
  return { name, url: new URL(`../../../${name}`, import.meta.url), text }
}

/** The overview says all of a command without arguments. */
function hasSection(name: CommandName): boolean {
  return describeMembers(toNode(commands[name].args)).length > 0
}

function describeCommand(name: CommandName): string {
  const { args, reply } = commands[name]
  return `## ${name}\n\n${name === 'selectperson' ? describePerson(args) : describeArguments(args)}\n${describeReply(isClassicCommandName(name) ? reply : z.null())}`
}

const memberHead = ['type', 'meaning']

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
  return rows.length === 0
    ? 'No arguments.\n'
    : `${tableOf(['argument', ...memberHead], rows)}${neededOf(node)}`
}

function neededOf({ anyOf = [] }: SchemaNode): string {
  const oneOf = anyOf.flatMap(({ required = [] }) => required.map(argument => `\`${argument}\``))
  return oneOf.length > 0 ? `\nOne of ${oneOf.join(', ')} is needed.\n` : ''
}

/** The fields of a person are on a page of their own. */
function describePerson(args: z.ZodMiniObject): string {
  const node = toNode(args)
  const { required = [], properties: { profiledata: { anyOf = [] } = {} } = {} } = node
  const items = anyOf.find(({ type }) => type === 'array')?.items ?? {}
  return `The arguments are the column *pipe* of [the fields of a person](./person.md); all are text, but \`userid\`, an integer, and
\`profiledata\`, an array. ${required.map(name => `\`${name}\``).join(' and ')} are required.
${neededOf(node)}
Members of an entry of \`profiledata\`; the sender’s own are kept:

${tableOf(['member', ...memberHead], describeMembers(items))}`
}

function describeMembers({ properties = {}, required = [] }: SchemaNode): string[][] {
  return Object.entries(properties).map(([member, node]) => [
    `\`${member}\``,
    `${typeOf(node)}${required.includes(member) ? ', required' : ''}`,
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
  return `Reply: a JSON ${isArray ? 'array of these, [capitalized](./pipe.md#lists-of-the-classic-mode) in the classic mode, and perhaps other members' : 'object'}:\n\n${tableOf(['member', ...memberHead], rows)}`
}

function describeMethods(): string {
  const parts = Object.entries(sessionMethods).map(
    ([name, { args, reply, summary }]) =>
      `### ${name}\n\n${summary}\n\n${describeArguments(args)}\n${describeReply(reply)}`,
  )
  const intro = `Requests about the connection itself, answered at once.\n`
  return ['## Methods of the session mode\n', intro, ...parts].join('\n')
}

function describeEvents(): string {
  const rows = sessionEventNames.map(name => {
    const members = describeMembers(toNode(sessionEvents[name].data)).map(
      ([member, type]) => `${member} (${type?.split(',')[0]})`,
    )
    return [`\`${name}\``, sessionEvents[name].summary, members.join(', ') || 'null']
  })
  return `## Events

\`{"Event": "<name>", "Data": …}\`, in session mode:

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
  ERR_SUPERSEDED:
    'A later command, launch or choice of the user decided who is in focus before the web app had drawn this person.',
}

function describeFailures(): string {
  const rows = commandErrorCodes.map(code => [`\`${code}\``, meanings[code]])
  return `## Failures

${tableOf(['code', 'meaning'], rows)}`
}
