import {
  type CommandDefinition,
  type CommandName,
  type CommandReply,
  commands,
} from '@service-link/protocol-core'

/** One argument of a command of the table. */
export interface ArgumentFacts {
  readonly name: string
  readonly type: 'text' | 'integer' | 'JSON'
  readonly isRequired: boolean
  /** Whether the schema takes a value. A text may still be invalid, such as an impossible date. */
  readonly accepts: (value: unknown) => boolean
  /** May be empty. */
  readonly summary: string
}

/** Arguments of a command, in the table's order. */
export function argumentsOf(name: CommandName): readonly ArgumentFacts[] {
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

/** What follows the name of a command in the example of its help. */
export const exampleArguments: Readonly<Record<CommandName, string>> = {
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

/** The reply of a command in words. */
export function describeReply(reply: CommandReply): string {
  if (reply === 'none') return 'null'
  if (reply === 'text') return 'text'
  if ('element' in reply) return `an array of objects: ${namesOf(reply.element)}`
  return `an object: ${namesOf(reply)}`
}

function namesOf(schema: unknown): string {
  const hasShape = typeof schema === 'object' && schema !== null && 'shape' in schema
  return hasShape ? Object.keys(schema.shape as object).join(', ') : ''
}
