import type * as z from 'zod/mini'
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

const intro = `# Commands

\`npm run schemas\` writes this page, and \`packages/protocol-core/json-schema/\`. [The
pipe](./pipe.md#rules-that-hold-for-every-command) describes requests and replies. A section lists the arguments, then the
reply; without one there is none, in [session mode](./session-mode.md) null. **Bold**: required. All are text, unless a type
is given. Replies may have further members; lists are
[capitalized](./pipe.md#lists-of-the-classic-mode) in the classic mode.

*Signed in*: the web app does it once somebody is signed in. *Front*: the window comes to the front. *Session*: only in
session mode, and by a launch.
`

/** The page `docs/reference/commands.md`. */
export function commandReferenceFile(): { readonly name: string; readonly url: URL; readonly text: string } {
  const name = 'docs/reference/commands.md'
  const sections = commandNames.filter(hasSection)
  const overview = commandNames.map(command => {
    const { summary } = commands[command]
    const title = sections.includes(command) ? `[\`${command}\`](#${command})` : `\`${command}\``
    return `- ${title}: ${summary}${traitsOf(command)}\n`
  })
  const text = [
    intro,
    overview.join(''),
    ...sections.map(describeCommand),
    describeMethods(),
    describeEvents(),
    describeFailures(),
  ].join('\n')
  return { name, url: new URL(`../../../${name}`, import.meta.url), text }
}

/** What the introduction explains. The web app clears a person for any user, and for none. */
function traitsOf(name: CommandName): string {
  const { target, raisesWindow } = commands[name]
  const traits = [
    target === 'page' && name !== 'clearperson' && 'signed in',
    raisesWindow && 'front',
    !isClassicCommandName(name) && 'session',
  ].filter(Boolean)
  return traits.length > 0 ? ` *${traits.join(', ')}*` : ''
}

/** The overview says all of a command without arguments. */
function hasSection(name: CommandName): boolean {
  return describeMembers(toNode(commands[name].args)).length > 0
}

function describeCommand(name: CommandName): string {
  const { args, reply } = commands[name]
  const described = name === 'selectperson' ? describePerson(args) : describeArguments(args)
  return joinParts(`## ${name}\n`, described, describeReply(reply))
}

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
  return rows.length === 0 ? '' : `${rows.join('')}${neededOf(node)}`
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
  return `Arguments: the column *pipe* of [the fields of a person](./person.md), and \`receipt\` (boolean): true asks for the
receipt in the reply, in session mode. \`userid\` is an integer, \`profiledata\` an array; all others are text.
${required.map(name => `\`${name}\``).join(' and ')} are required.
${neededOf(node)}
Members of an entry of \`profiledata\`; your own are kept:

${describeMembers(items).join('')}`
}

/** A line for each member: name, type and meaning. */
function describeMembers({ properties = {}, required = [] }: SchemaNode): string[] {
  return Object.entries(properties).map(([member, node]) => {
    const name = required.includes(member) ? `**\`${member}\`**` : `\`${member}\``
    const type = typeOf(node)
    const meaning = node.enum?.join(' or ') ?? node.description
    return `- ${name}${type === 'string' ? '' : ` (${type})`}${meaning ? `: ${meaning}` : ''}\n`
  })
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
  if (typeof reply === 'string') return ''
  const node = toNode(reply)
  const rows = describeMembers(node.items ?? node)
  return `Reply: ${node.items === undefined ? 'an object' : 'an array'} of\n\n${rows.join('')}`
}

function describeMethods(): string {
  const rows = Object.entries(sessionMethods).map(([name, { args, reply, summary }]) => {
    const [taken, given] = [namesIn(args), namesIn(reply)]
    return `- \`${name}\`${taken && ` (${taken})`}: ${summary} Reply: ${given}\n`
  })
  return `## Methods of the session mode

[What travels](./what-travels.md#session-mode-many-requests-and-events) has an example of each:

${rows.join('')}`
}

/** The members of a schema, without a meaning. */
function namesIn(schema: z.ZodMiniType): string {
  const { properties = {} } = toNode(schema)
  return Object.keys(properties)
    .map(member => `\`${member}\``)
    .join(', ')
}

/** Blank lines between the parts that are not empty. */
function joinParts(...parts: string[]): string {
  return parts.filter(part => part !== '').join('\n')
}

function describeEvents(): string {
  const rows = sessionEventNames.map(name => {
    const { data, summary } = sessionEvents[name]
    return `${`- \`${name}\`: ${summary} ${namesIn(data)}`.trimEnd()}\n`
  })
  return `## Events

\`{"Event": "<name>", "Data": …}\`, in session mode. \`Data\` has the named members, or is null:

${rows.join('')}`
}

function describeFailures(): string {
  const codes = commandErrorCodes.map(code => `[\`${code}\`](../errors/index.md#${code.toLowerCase()})`)
  return `## Failures

${codes.join(', ')}.
`
}
