import { z } from 'zod'
import { sessionIdSchema } from '../src/envelope/request-envelope.ts'
import {
  classicFailureSchema,
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

/** File name without `.json` → schema of the message. */
function allSchemas(): ReadonlyMap<string, z.ZodType> {
  const schemas = new Map<string, z.ZodType>([
    ['payload', payloadSchema.describe('Claims of the partner link')],
    ['contact', contactSchema.describe('The person in focus, in the partner link')],
    ['person', personSchema.describe('The person in focus, whichever transport it came by')],
    ['profile-entry', profileEntrySchema],
    ['workout', workoutSchema.describe('One workout as getworkoutsforclient returns it')],
    ['user', userSchema.describe('One user as getlistofusers returns it')],
    ['launch', launchSchema.describe('One start of the executable, as it is handed to the running wrapper')],
    ['classic-failure', classicFailureSchema.describe('Reply to any classic command that failed')],
    ['classic-request', classicRequestSchema()],
    ['session-request', sessionRequestSchema()],
    ['session-reply', sessionReplySchema()],
    ['session-failure', sessionFailureSchema()],
    ['session-event', sessionEventSchema()],
  ])
  for (const name of commandNames) {
    const { args, reply, summary } = commands[name]
    schemas.set(`${name}.args`, args.describe(`Arguments of ${name}. ${summary}`))
    if (typeof reply === 'object') schemas.set(`${name}.reply`, reply.describe(`Reply to ${name}`))
    if (reply === 'text')
      schemas.set(`${name}.reply`, z.string().describe(`Reply to ${name}: bare text, not JSON`))
  }
  for (const [name, { args, reply, summary }] of Object.entries(sessionMethods)) {
    schemas.set(`${name}.args`, args.describe(`Arguments of ${name}, in session mode. ${summary}`))
    schemas.set(`${name}.reply`, reply.describe(`Reply to ${name}, in session mode`))
  }
  return schemas
}

const argsOfRequest = z
  .record(z.string(), z.unknown())
  .nullish()
  .describe('Arguments of the command or method, see <method>.args.json')

/** The members of a request. Each command has a schema for its arguments. */
function classicRequestSchema(): z.ZodType {
  return z
    .looseObject({
      Method: z.enum(commandNames.filter(isClassicCommandName)).describe('Matched without regard to case'),
      Args: argsOfRequest,
    })
    .describe('Request of the pipe’s classic mode')
}

/** Like {@link classicRequestSchema}, with an id, every command and the methods of the session mode. */
function sessionRequestSchema(): z.ZodType {
  return z
    .looseObject({
      Id: sessionIdSchema.describe('Unique among the requests in flight on the connection'),
      Method: z
        .enum([...commandNames, ...Object.keys(sessionMethods)])
        .describe('Matched without regard to case'),
      Args: argsOfRequest,
    })
    .describe('Request of the pipe’s session mode')
}

function sessionReplySchema(): z.ZodType {
  return z
    .looseObject({
      Id: sessionIdSchema.describe('Of the request'),
      Result: z
        .unknown()
        .describe('As <method>.reply.json says; null for a command that answers with nothing'),
    })
    .describe('Reply of the pipe’s session mode to a request that was carried out')
}

function sessionFailureSchema(): z.ZodType {
  const issue = z.looseObject({
    path: z.string().describe('Which argument, as a dotted path; empty for all of them'),
    problem: z.string().describe('What is wrong there, without the value'),
  })
  return z
    .looseObject({
      Id: sessionIdSchema.nullable().describe('Of the request; null where it could not be read'),
      Error: z.looseObject({
        Code: z.enum(commandErrorCodes).describe('Stable identifier of the failure'),
        Message: z.string().describe('One sentence for the developer'),
        Details: z
          .looseObject({ issues: z.array(issue).optional() })
          .nullish()
          .describe('Of ERR_ARGS: the arguments at fault'),
      }),
    })
    .describe('Reply of the pipe’s session mode to a request that failed')
}

function sessionEventSchema(): z.ZodType {
  const [first, ...rest] = sessionEventNames.map(name =>
    z
      .looseObject({ Event: z.literal(name), Data: sessionEvents[name].data })
      .describe(sessionEvents[name].summary),
  )
  if (!first) throw new Error('There are no events.')
  return z.union([first, ...rest]).describe('Event of the pipe’s session mode')
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
