import * as z from 'zod/mini'
import { classicFailureSchema } from '../src/envelope/classic.ts'
import { requestSchema, sessionIdSchema } from '../src/envelope/request-envelope.ts'
import {
  commandNames,
  commands,
  contactSchema,
  handOffOutcomeSchema,
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
  wrapperRecordSchema,
} from '../src/index.ts'
import { postedEndSchema, postedLinkSchema, problemSchema } from '../src/partner-link/answers.ts'
import { receiverFactsSchema } from '../src/partner-link/receiver-facts.ts'
import { endSchema } from '../src/person/payload.ts'
import { described, factsOf } from '../src/schema/facts.ts'
import { sessionFailureSchema, sessionReplySchema } from '../src/session/session-message.ts'
import { jsonSchemaOf } from './json-schema.ts'

/** File name without `.json` → schema of the message. */
function allSchemas(): ReadonlyMap<string, z.ZodMiniType> {
  const schemas = new Map<string, z.ZodMiniType>([
    ['payload', described(payloadSchema, 'Claims of the partner link')],
    ['contact', described(contactSchema, 'The person in focus, in the partner link')],
    ['end', described(endSchema, 'Claims of a signed end, in the partner link')],
    ['posted-link', described(postedLinkSchema, 'Answer of the partner link to a program: a one-time URL')],
    ['posted-end', described(postedEndSchema, 'Answer of the partner link to a program: what has ended')],
    ['problem', described(problemSchema, 'Refusal of the partner link')],
    ['receiver-facts', described(receiverFactsSchema, 'What a receiver says of itself, in discovery')],
    ['person', described(personSchema, 'The person in focus, whichever transport it came by')],
    ['profile-entry', profileEntrySchema],
    ['workout', described(workoutSchema, 'One workout as getworkoutsforclient returns it')],
    ['user', described(userSchema, 'One user as getlistofusers returns it')],
    [
      'launch',
      described(launchSchema, 'One start of the executable, as it is handed to the running wrapper'),
    ],
    ['hand-off-outcome', described(handOffOutcomeSchema, 'The running wrapper’s answer to a launch')],
    ['wrapper-record', described(wrapperRecordSchema, 'The file that a running wrapper publishes')],
    ['classic-failure', described(classicFailureSchema, 'Reply to any classic command that failed')],
    [
      'classic-request',
      requestOf(commandNames.filter(isClassicCommandName), {}, 'Request of the pipe’s classic mode'),
    ],
    [
      'session-request',
      requestOf(
        [...commandNames, ...Object.keys(sessionMethods)],
        { Id: described(sessionIdSchema, factsOf(Id).description ?? '') },
        'Request of the pipe’s session mode',
      ),
    ],
    [
      'session-reply',
      described(sessionReplySchema, 'Reply of the pipe’s session mode to a request that was carried out'),
    ],
    [
      'session-failure',
      described(sessionFailureSchema, 'Reply of the pipe’s session mode to a request that failed'),
    ],
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

const { Id, Args } = requestSchema.shape
const method = factsOf(requestSchema.shape.Method)

/** A request whose method is one of these. Each has a schema for its arguments. */
function requestOf(methods: readonly string[], id: { readonly Id?: z.ZodMiniType }, text: string) {
  return described(
    z.looseObject({ ...id, Method: described(z.enum(methods), method.description ?? ''), Args }),
    text,
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
