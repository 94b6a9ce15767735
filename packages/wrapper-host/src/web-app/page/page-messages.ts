import { endReasonSchema, personSchema } from '@service-link/protocol-core'
import * as z from 'zod/mini'

const userName = z.string().check(z.maxLength(1000))

export const pageMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.int(),
    handlers: z.array(z.string()).check(z.maxLength(100)),
    isSignedIn: z.boolean(),
    /** Number of the signed-in session in this document. */
    session: z.optional(z.int()),
    user: z.optional(userName),
    person: z.optional(personSchema),
  }),
  z.object({ type: z.literal('signedIn'), session: z.optional(z.int()), user: z.optional(userName) }),
  z.object({
    type: z.literal('signedOut'),
    reason: z.optional(endReasonSchema),
    /** Another form of it must not keep the user signed in. */
    unsaved: z.catch(z.optional(z.object({ user: userName, value: z.unknown() })), undefined),
  }),
  z.object({ type: z.literal('personSelected'), person: personSchema }),
  z.object({ type: z.literal('personCleared'), reason: z.optional(endReasonSchema) }),
])

/** Longest text of a page's refusal that is passed on, in UTF-16 code units. */
const maxMessageLength = 500

const sentence = z.pipe(
  z.string(),
  z.transform(text => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, maxMessageLength)),
)

export const pageAnswerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), value: z.optional(z.unknown()) }),
  z.object({
    type: z.literal('failure'),
    code: z.enum(['ERR_NOT_FOUND', 'ERR_NOT_SIGNED_IN', 'ERR_ARGS', 'ERR_WEB_APP']),
    message: sentence,
    issues: z._default(
      z.readonly(z.array(z.object({ path: sentence, problem: sentence })).check(z.maxLength(100))),
      [],
    ),
  }),
  z.object({ type: z.literal('notConnected') }),
])
