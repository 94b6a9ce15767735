import * as z from 'zod/mini'
import { sessionIdSchema } from '../envelope/request-envelope.ts'
import { described, withJson } from '../schema/facts.ts'
import { anyCase, lowerCase, orElse } from '../schema/names.ts'
import { looseObject, object } from '../schema/object.ts'
import { givenText, missingOr } from '../schema/text-field.ts'
import { processIdSchema } from '../wrapper/wrapper-record.ts'

function answer<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return anyCase(lowerCase(looseObject(shape)))
}

const shownPerson = {
  userId: described(z.nullish(z.int()), 'Service user id'),
  customId: described(z.nullish(givenText), 'Id of the person in the partner’s system; not unique'),
  firstname: described(z.nullish(z.string()), 'First name, or names'),
  lastname: described(z.nullish(z.string()), 'Last name'),
}

const personInFocus = lowerCase(looseObject(shownPerson))

/**
 * The person in focus, as other programs of the user see it: enough to recognize the person, and no date of birth, address
 * or profile data. Some partners use a national identity number as customid.
 */
export type PersonInFocus = z.output<typeof personInFocus>

const focusNumber = described(
  z.nullish(z.int().check(z.gte(0))),
  'Number of the last change of focus; it rises with each, until the wrapper exits',
)

/** See {@link EndReason}. One that this version does not know is left out. */
export const endReasonSchema = orElse(
  z.optional(z.enum(['journal', 'user', 'time', 'partnerlocked'])),
  undefined,
)

/** Why a person left the focus, or a session ended: a program asked for it, the user did it, time ran out, or the partner was locked. */
export type EndReason = NonNullable<z.output<typeof endReasonSchema>>

const reason = described(
  endReasonSchema,
  'journal: a program asked for it; user: the user did it; time: it ran out; partnerlocked: the partner was locked',
)

const sessionStatusSchema = answer({
  loaded: described(z.boolean(), 'Whether the web app is there and takes commands'),
  signedin: described(z.boolean(), 'Whether somebody is signed in to it'),
  person: described(
    anyCase(z.nullable(personInFocus)),
    'The person in focus, as personselected tells it; null when there is none',
  ),
  focusNumber,
})

/** The reply to `status`. */
export type SessionStatus = z.output<typeof sessionStatusSchema>

/** Schema of an event without data. It ignores the data of a later wrapper. */
const noData = z.pipe(
  z.transform((): null => null),
  withJson(z.null(), { default: null }),
)

/** Every event that a client in session mode can subscribe to (design: pipe protocol). */
export const sessionEvents = {
  personselected: {
    summary: 'A person has come into focus: the web app has drawn it.',
    data: answer({ ...shownPerson, focusNumber }),
  },
  personcleared: {
    summary: 'Nobody is in focus any more, and the user is still signed in.',
    data: answer({ reason, focusNumber }),
  },
  signedin: { summary: 'Somebody has signed in to the web app.', data: noData },
  signedout: {
    summary: 'Nobody is signed in any more, and nobody is in focus.',
    data: orElse(answer({ reason }), {}),
  },
  workoutopened: {
    summary: 'A workout was opened because a program or a launch asked for it.',
    data: answer({ id: described(z.int(), 'As openworkout takes it') }),
  },
  closing: {
    summary: 'The wrapper is exiting. It is the last event; then the connection ends.',
    data: noData,
  },
} as const satisfies Readonly<Record<string, { readonly summary: string; readonly data: z.ZodMiniType }>>

/** Name of an event, as it travels. */
export type SessionEventName = keyof typeof sessionEvents

/** Every event name, in the order of the documentation. */
export const sessionEventNames: readonly SessionEventName[] = Object.keys(sessionEvents).filter(isEventName)

/** Whether a text is the name of an event as it travels. */
export function isEventName(text: string): text is SessionEventName {
  return Object.hasOwn(sessionEvents, text)
}

/** An event of the wrapper. */
export type SessionEvent = {
  [Name in SessionEventName]: {
    readonly event: Name
    readonly data: z.output<(typeof sessionEvents)[Name]['data']>
  }
}[SessionEventName]

/** Finds the events that a client named, without regard to case: each once, in the table's order. */
function findEventNames(names: readonly string[]): SessionEventName[] {
  const folded = new Set(names.map(name => name.trim().toLowerCase()))
  return sessionEventNames.filter(name => folded.has(name))
}

/** Most names that one `subscribe` may list. */
const maxListedEvents = 32

/**
 * Requests of the session mode about the connection itself, beside the commands (design: pipe protocol). Client, server,
 * JSON Schemas and documentation are derived from this table.
 */
export const sessionMethods = {
  hello: {
    summary:
      'Returns what this wrapper supports. Send it once, first. A wrapper that does not know it has only the classic mode.',
    args: object({}),
    reply: answer({
      protocol: described(z.int().check(z.gte(1)), 'Version of the session mode'),
      version: described(z.string(), 'Version of the wrapper, four numbers'),
      pid: described(processIdSchema, 'Process id of the wrapper'),
      browserpid: described(z.nullish(processIdSchema), 'Process id of the browser, which owns the window'),
      capabilities: described(z.array(z.string()), 'Names of the methods, commands and events that it knows'),
      maxinflight: described(z.nullish(z.int().check(z.gte(1))), 'Most requests in flight on one connection'),
    }),
  },
  status: {
    summary: 'Tells whether the web app is loaded, whether somebody is signed in, and who is in focus.',
    args: object({}),
    reply: sessionStatusSchema,
  },
  subscribe: {
    summary:
      'Chooses the events that this connection receives, in place of earlier ones. The reply leaves out unknown names.',
    args: object({
      events: described(
        z.pipe(
          z
            .array(z.string(), { error: missingOr('must be an array of names') })
            .check(z.maxLength(maxListedEvents, { error: `has more than ${maxListedEvents} names` })),
          z.transform((names): readonly SessionEventName[] => findEventNames(names)),
        ),
        `At most ${maxListedEvents} names of events; none ends the subscription`,
      ),
    }),
    reply: answer({
      events: described(z.array(z.string()), 'The events that this connection receives'),
    }),
  },
  cancel: {
    summary:
      'Abandons a request of this connection in flight. It fails with ERR_CANCELLED; whether its command had an effect is unknown.',
    args: object({ id: described(sessionIdSchema, 'Id of the request') }),
    reply: answer({
      cancelled: described(z.boolean(), 'False when no such request was in flight: its reply is on the way'),
    }),
  },
} as const satisfies Readonly<
  Record<string, { readonly summary: string; readonly args: z.ZodMiniObject; readonly reply: z.ZodMiniType }>
>

/** Name of a method of the session mode, as it travels. */
export type SessionMethodName = keyof typeof sessionMethods

/** The reply to `hello`. */
export type HelloReply = z.output<(typeof sessionMethods)['hello']['reply']>

/** The reply to `subscribe`. */
export type SubscribeReply = z.output<(typeof sessionMethods)['subscribe']['reply']>
