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
import { described } from '../src/schema/facts.ts'
import { jsonSchemaOf } from '../src/schema/json-schema.ts'
import { sessionIdSchema } from '../src/session/session-table.ts'

/** File name without `.json` → schema of the message. */
function allSchemas(): ReadonlyMap<string, z.ZodMiniType> {
  const schemas = new Map<string, z.ZodMiniType>([
    ['payload', described(payloadSchema, 'Claims of the partner link')],
    ['contact', described(contactSchema, 'The person in focus, in the partner link')],
    ['person', described(personSchema, 'The person in focus, whichever transport it came by')],
    ['profile-entry', profileEntrySchema],
    ['workout', described(workoutSchema, 'One workout as getworkoutsforclient returns it')],
    ['user', described(userSchema, 'One user as getlistofusers returns it')],
    [
      'launch',
      described(launchSchema, 'One start of the executable, as it is handed to the running wrapper'),
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
      schemas.set(`${name}.reply`, described(z.string(), `Reply to ${name}: bare text, not JSON`))
  }
  for (const [name, { args, reply, summary }] of Object.entries(sessionMethods)) {
    schemas.set(`${name}.args`, described(args, `Arguments of ${name}, in session mode. ${summary}`))
    schemas.set(`${name}.reply`, described(reply, `Reply to ${name}, in session mode`))
  }
  return schemas
}

const issueSchema = z.looseObject({
  path: described(z.string(), 'Which argument, as a dotted path; empty for all of them'),
  problem: described(z.string(), 'What is wrong there, without the value'),
})

const argsOfRequest = described(
  z.nullish(z.record(z.string(), z.unknown())),
  'Arguments of the command or method, see <method>.args.json',
)

const codeSchema = described(z.enum(commandErrorCodes), 'Stable identifier of the failure')
const sentenceSchema = described(z.string(), 'One sentence for the developer')

function methodSchema(names: readonly string[]): z.ZodMiniType {
  return described(z.enum(names), 'Matched without regard to case')
}

function classicFailureSchema(): z.ZodMiniType {
  return described(
    z.looseObject({ error: sentenceSchema, code: codeSchema }),
    'Reply to any classic command that failed',
  )
}

/** The members of a request. Each command has a schema for its arguments. */
function classicRequestSchema(): z.ZodMiniType {
  return described(
    z.looseObject({ Method: methodSchema(commandNames.filter(isClassicCommandName)), Args: argsOfRequest }),
    'Request of the pipe’s classic mode',
  )
}

/** Like {@link classicRequestSchema}, with an id, every command and the methods of the session mode. */
function sessionRequestSchema(): z.ZodMiniType {
  return described(
    z.looseObject({
      Id: described(sessionIdSchema, 'Unique among the requests in flight on the connection'),
      Method: methodSchema([...commandNames, ...Object.keys(sessionMethods)]),
      Args: argsOfRequest,
    }),
    'Request of the pipe’s session mode',
  )
}

function sessionReplySchema(): z.ZodMiniType {
  return described(
    z.looseObject({
      Id: described(sessionIdSchema, 'Of the request'),
      Result: described(
        z.unknown(),
        'As <method>.reply.json says; null for a command that answers with nothing',
      ),
      Warnings: described(
        z.nullish(z.array(issueSchema)),
        'Optional fields of the request that could not be read and were left out',
      ),
    }),
    'Reply of the pipe’s session mode to a request that was carried out',
  )
}

function sessionFailureSchema(): z.ZodMiniType {
  return described(
    z.looseObject({
      Id: described(z.nullable(sessionIdSchema), 'Of the request; null where it could not be read'),
      Error: z.looseObject({
        Code: codeSchema,
        Message: sentenceSchema,
        Details: described(
          z.nullish(z.looseObject({ issues: z.optional(z.array(issueSchema)) })),
          'Of ERR_ARGS: the arguments at fault',
        ),
      }),
    }),
    'Reply of the pipe’s session mode to a request that failed',
  )
}

function sessionEventSchema(): z.ZodMiniType {
  const [first, ...rest] = sessionEventNames.map(name =>
    described(
      z.looseObject({ Event: z.literal(name), Data: sessionEvents[name].data }),
      sessionEvents[name].summary,
    ),
  )
  if (!first) throw new Error('There are no events.')
  return described(z.union([first, ...rest]), 'Event of the pipe’s session mode')
}

/**
 * Every JSON Schema (draft 2020-12) that this package publishes, of what a sender may write.
 *
 * @returns file name → text of the file
 */
export function jsonSchemaFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const [name, schema] of allSchemas()) {
    const { $schema, ...rest } = jsonSchemaOf(schema)
    files.set(`${name}.json`, `${JSON.stringify({ $schema, title: name, ...rest }, null, 2)}\n`)
  }
  return files
}
