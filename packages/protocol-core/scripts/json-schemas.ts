import * as z from 'zod/mini'
import {
  commandErrorCodes,
  commandNames,
  commands,
  contactSchema,
  isClassicCommandName,
  launchSchema,
  payloadSchema,
  personSchema,
  profileEntrySchema,
  sessionEventNames,
  sessionEvents,
  sessionMethods,
  userSchema,
  workoutSchema,
} from '../src/index.ts'
import { sessionIdSchema } from '../src/session/session-table.ts'

/** File name without `.json` → schema of the message. */
function allSchemas(): ReadonlyMap<string, z.ZodMiniType> {
  const schemas = new Map<string, z.ZodMiniType>([
    ['payload', payloadSchema.check(z.describe('Claims of the partner link'))],
    ['contact', contactSchema.check(z.describe('The person in focus, in the partner link'))],
    ['person', personSchema.check(z.describe('The person in focus, whichever transport it came by'))],
    ['profile-entry', profileEntrySchema],
    ['workout', workoutSchema.check(z.describe('One workout as getworkoutsforclient returns it'))],
    ['user', userSchema.check(z.describe('One user as getlistofusers returns it'))],
    [
      'launch',
      launchSchema.check(z.describe('One start of the executable, as it is handed to the running wrapper')),
    ],
    ['classic-failure', classicFailureSchema()],
    ['classic-request', classicRequestSchema()],
    ['session-request', sessionRequestSchema()],
    ['session-reply', sessionReplySchema()],
    ['session-failure', sessionFailureSchema()],
    ['session-event', sessionEventSchema()],
  ])
  for (const name of commandNames) {
    const { args, reply, summary } = commands[name]
    schemas.set(`${name}.args`, described(args, `Arguments of ${name}. ${summary}`))
    if (typeof reply === 'object') schemas.set(`${name}.reply`, described(reply, `Reply to ${name}`))
    if (reply === 'text')
      schemas.set(`${name}.reply`, z.string().check(z.describe(`Reply to ${name}: bare text, not JSON`)))
  }
  for (const [name, { args, reply, summary }] of Object.entries(sessionMethods)) {
    schemas.set(`${name}.args`, described(args, `Arguments of ${name}, in session mode. ${summary}`))
    schemas.set(`${name}.reply`, described(reply, `Reply to ${name}, in session mode`))
  }
  return schemas
}

function described(schema: z.ZodMiniType, text: string): z.ZodMiniType {
  return schema.check(z.describe(text))
}

const issueSchema = z.looseObject({
  path: z.string().check(z.describe('Which argument, as a dotted path; empty for all of them')),
  problem: z.string().check(z.describe('What is wrong there, without the value')),
})

const argsOfRequest = z
  .nullish(z.record(z.string(), z.unknown()))
  .check(z.describe('Arguments of the command or method, see <method>.args.json'))

function classicFailureSchema(): z.ZodMiniType {
  return z
    .looseObject({
      error: z.string().check(z.describe('One sentence for the developer')),
      code: z.enum(commandErrorCodes).check(z.describe('Stable identifier of the failure')),
    })
    .check(z.describe('Reply to any classic command that failed'))
}

/** The members of a request. Each command has a schema for its arguments. */
function classicRequestSchema(): z.ZodMiniType {
  return z
    .looseObject({
      Method: z
        .enum(commandNames.filter(isClassicCommandName))
        .check(z.describe('Matched without regard to case')),
      Args: argsOfRequest,
    })
    .check(z.describe('Request of the pipe’s classic mode'))
}

/** Like {@link classicRequestSchema}, with an id, every command and the methods of the session mode. */
function sessionRequestSchema(): z.ZodMiniType {
  return z
    .looseObject({
      Id: sessionIdSchema.check(z.describe('Unique among the requests in flight on the connection')),
      Method: z
        .enum([...commandNames, ...Object.keys(sessionMethods)])
        .check(z.describe('Matched without regard to case')),
      Args: argsOfRequest,
    })
    .check(z.describe('Request of the pipe’s session mode'))
}

function sessionReplySchema(): z.ZodMiniType {
  return z
    .looseObject({
      Id: sessionIdSchema.check(z.describe('Of the request')),
      Result: z
        .unknown()
        .check(z.describe('As <method>.reply.json says; null for a command that answers with nothing')),
      Warnings: z
        .nullish(z.array(issueSchema))
        .check(z.describe('Optional fields of the request that could not be read and were left out')),
    })
    .check(z.describe('Reply of the pipe’s session mode to a request that was carried out'))
}

function sessionFailureSchema(): z.ZodMiniType {
  return z
    .looseObject({
      Id: z.nullable(sessionIdSchema).check(z.describe('Of the request; null where it could not be read')),
      Error: z.looseObject({
        Code: z.enum(commandErrorCodes).check(z.describe('Stable identifier of the failure')),
        Message: z.string().check(z.describe('One sentence for the developer')),
        Details: z
          .nullish(z.looseObject({ issues: z.optional(z.array(issueSchema)) }))
          .check(z.describe('Of ERR_ARGS: the arguments at fault')),
      }),
    })
    .check(z.describe('Reply of the pipe’s session mode to a request that failed'))
}

function sessionEventSchema(): z.ZodMiniType {
  const [first, ...rest] = sessionEventNames.map(name =>
    z
      .looseObject({ Event: z.literal(name), Data: sessionEvents[name].data })
      .check(z.describe(sessionEvents[name].summary)),
  )
  if (!first) throw new Error('There are no events.')
  return z.union([first, ...rest]).check(z.describe('Event of the pipe’s session mode'))
}

/**
 * Every JSON Schema (draft 2020-12) that this package publishes, of what a sender may write.
 *
 * @returns file name → text of the file
 */
export function jsonSchemaFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const [name, schema] of allSchemas()) {
    const { $schema, ...rest } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: 'input',
      unrepresentable: 'any',
    })
    files.set(`${name}.json`, `${JSON.stringify({ $schema, title: name, ...rest }, null, 2)}\n`)
  }
  return files
}
