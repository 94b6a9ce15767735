import * as z from 'zod/mini'
import { described, withJson } from '../schema/facts.ts'
import { object } from '../schema/object.ts'

const uri = withJson(z.string(), { format: 'uri' })
const text = z.string().check(z.minLength(1))

/** A receiver's answer to a payload, for `Accept: application/json`. */
export const postedLinkSchema = object({
  url: described(uri, 'Opens the service once, in the browser of the user'),
})

/** A receiver's answer to a signed end, for `Accept: application/json`. */
export const postedEndSchema = object({
  ended: described(z.enum(['context', 'session']), 'As in the claim end'),
})

/** A receiver's refusal (RFC 9457). It may have further members. */
export const problemSchema = object({
  type: described(z.string(), 'Address of the explanation of the code, or about:blank'),
  title: described(text, 'What is wrong, in a few words for people'),
  status: described(z.int().check(z.gte(400), z.lte(599)), 'The HTTP status'),
  detail: described(text, 'What is wrong and what to do, for the developer of the partner'),
  code: described(z.string().check(z.regex(/^ERR_[A-Z_]+$/)), 'Stable'),
  requestId: described(text, 'Finds the request in the log of the service; also the header X-Request-Id'),
  issues: described(
    z.optional(
      z.array(
        object({
          path: described(z.string(), 'The claim, such as contact.id'),
          problem: described(text, 'What is wrong with it'),
        }),
      ),
    ),
    'Every claim that is not accepted, for ERR_PAYLOAD_SHAPE',
  ),
})
