import { z } from 'zod'
import { sessionIdSchema } from '../envelope/request-envelope.ts'
import { missingOr } from '../text/text-field.ts'
import { findEventNames } from './session-event.ts'
import { sessionStatusSchema } from './session-status.ts'

/** Version of the session mode that this library speaks, as `hello` tells it. */
export const sessionProtocol = 1

/** One row of the table of methods. */
interface MethodDefinition<Args extends z.ZodObject = z.ZodObject, Reply extends z.ZodType = z.ZodType> {
  /** One sentence for the documentation. */
  readonly summary: string
  readonly args: Args
  readonly reply: Reply
}

function defineMethod<const Args extends z.ZodObject, const Reply extends z.ZodType>(
  row: MethodDefinition<Args, Reply>,
): MethodDefinition<Args, Reply> {
  return row
}

/** Most names that one `subscribe` may list. */
const maxListedEvents = 32

/**
 * What the session mode knows besides the commands: requests about the connection itself (design: pipe protocol).
 * Client, server, JSON Schemas and documentation are derived from this table.
 */
export const sessionMethods = {
  hello: defineMethod({
    summary:
      'Returns what this wrapper supports. Send it once, first. A wrapper that does not know it has only the classic mode.',
    args: z.object({}),
    reply: z.looseObject({
      protocol: z.int().min(1).describe('Version of the session mode'),
      version: z.string().describe('Version of the wrapper, four numbers'),
      pid: z.int().min(1).describe('Process id of the wrapper'),
      capabilities: z.array(z.string()).describe('Names of the methods, commands and events that it knows'),
      maxinflight: z.int().min(1).nullish().describe('Most requests in flight on one connection'),
    }),
  }),
  status: defineMethod({
    summary: 'Tells whether the web app is loaded, whether somebody is signed in, and who is in focus.',
    args: z.object({}),
    reply: sessionStatusSchema,
  }),
  subscribe: defineMethod({
    summary:
      'Chooses the events that this connection receives, in place of those chosen before. The reply leaves out unknown names.',
    args: z.object({
      events: z
        .array(z.string(), { error: missingOr('must be an array of names') })
        .max(maxListedEvents, { error: `has more than ${maxListedEvents} names` })
        .transform(findEventNames)
        .describe(`At most ${maxListedEvents} names of events; none ends the subscription`),
    }),
    reply: z.looseObject({
      events: z.array(z.string()).describe('The events that this connection receives'),
    }),
  }),
  cancel: defineMethod({
    summary:
      'Abandons a request of this connection that is in flight. That request fails with ERR_CANCELLED; whether its command had an effect is unknown.',
    args: z.object({ id: sessionIdSchema.describe('Id of the request') }),
    reply: z.looseObject({
      cancelled: z.boolean().describe('False when no such request was in flight: its reply is on the way'),
    }),
  }),
} as const

/** Name of a method of the session mode, as it travels. */
export type SessionMethodName = keyof typeof sessionMethods

/** What `hello` answers. */
export type HelloReply = z.output<(typeof sessionMethods)['hello']['reply']>

/** What `subscribe` answers. */
export type SubscribeReply = z.output<(typeof sessionMethods)['subscribe']['reply']>

/** Finds a method's name without regard to case. */
export function findSessionMethodName(text: string): SessionMethodName | undefined {
  const folded = text.trim().toLowerCase()
  return isMethodName(folded) ? folded : undefined
}

function isMethodName(text: string): text is SessionMethodName {
  return Object.hasOwn(sessionMethods, text)
}
