import { personSchema } from '@service-link/protocol-core'
import { z } from 'zod'

/** Longest message of a page's refusal that is passed on, in UTF-16 code units. */
const maxMessageLength = 500

const sentence = z.string().transform(text => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, maxMessageLength))

/** What a page may send without being asked. */
export const pageMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.int(),
    handlers: z.array(z.string()).max(100),
    isSignedIn: z.boolean(),
    person: personSchema.optional(),
  }),
  z.object({ type: z.literal('bye') }),
  z.object({ type: z.literal('signedIn') }),
  z.object({ type: z.literal('signedOut') }),
  z.object({ type: z.literal('personSelected'), person: personSchema }),
])

/** See {@link pageMessageSchema}. */
export type ParsedPageMessage = z.output<typeof pageMessageSchema>

/** What a page may answer to a call. */
export const pageAnswerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), value: z.unknown().optional() }),
  z.object({
    type: z.literal('failure'),
    code: z.enum(['ERR_NOT_FOUND', 'ERR_NOT_SIGNED_IN', 'ERR_ARGS', 'ERR_WEB_APP']),
    message: sentence,
    issues: z
      .array(z.object({ path: sentence, problem: sentence }))
      .max(100)
      .default([]),
  }),
  z.object({ type: z.literal('notConnected') }),
])

/** See {@link pageAnswerSchema}. */
export type ParsedPageAnswer = z.output<typeof pageAnswerSchema>
