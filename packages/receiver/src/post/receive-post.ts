import { PayloadMalformedError, PayloadTooLargeError } from '@service-link/jwt-payload'
import { Refusal, readBoundedBody, readToken, type UnverifiedToken } from '@service-link/jwt-payload/steps'
import { ParameterError } from '@service-link/protocol-core/errors'
import { Deadline } from '@service-link/protocol-core/time'
import type { ReceiverParts, RequestFacts } from '../audit.ts'
import { MethodNotAllowedError, ReceiverRefusal } from '../receiver-errors.ts'
import { answerOutcome } from './answer-outcome.ts'
import { answerOrRefuse } from './answer-refusal.ts'
import { takePost } from './apply-delivery.ts'
import type { Visitor } from './headers.ts'
import { receiveEnd } from './take-end.ts'
import { findSigningPartner, makeDelivery } from './verify-post.ts'

/**
 * Answers a post (spec 4.1). Checks method, media type, size, form, token, a script's origin, key, signature, times, audience, claims,
 * the partner's rate and replay, in this order. Then all effects are one transaction.
 */
export async function receivePost(
  visitor: Visitor,
  facts: RequestFacts,
  parts: ReceiverParts,
): Promise<Response> {
  const token = await readPost(visitor.request, parts.bodyTimeoutMs)
  const { partner, ...signed } = await findSigningPartner(token, visitor, parts)
  const known = { text: token.signingInput, claims: token.claims(), policy: partner.policy }
  // From here on, refusals are shown as the partner's, and recorded.
  return answerOrRefuse(visitor, { ...facts, partner, signed: known }, parts, async facts => {
    const post = await makeDelivery({ partner, ...signed }, facts.requestId, parts.audience)
    if ('end' in post) return receiveEnd(post, visitor, facts, parts)
    const outcome = await takePost(post, visitor, parts)
    return answerOutcome(outcome, visitor, facts, parts)
  })
}

/** Largest body of a post. */
export const maxFormBytes = 64 * 1024

/** Reads the token of a post: checks method, media type, size and form, in this order. Nothing of the token is verified. */
async function readPost(request: Request, bodyTimeoutMs: number): Promise<UnverifiedToken> {
  const { method, headers } = request
  if (method !== 'POST') throw new MethodNotAllowedError('POST')
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (type !== 'application/x-www-form-urlencoded' || encoding !== 'identity')
    throw new ReceiverRefusal('ERR_MEDIA_TYPE')
  const body = await readBody(request, { maxBytes: maxFormBytes, timeoutMs: bodyTimeoutMs })
  await turnOfLoop()
  // Most clients send the token alone, without escapes.
  const plain = /^payload=([\w.-]+)$/.exec(body)?.[1]
  const [value, ...others] = plain === undefined ? new URLSearchParams(body).getAll('payload') : [plain]
  if (others.length > 0)
    throw new PayloadMalformedError('The form has more than one field named payload. Send one.')
  const text = value?.trim()
  if (!text) throw new ReceiverRefusal('ERR_PAYLOAD_MISSING')
  return readToken(text)
}

const alreadyRead = 'was read before: give it to the receiver before a middleware or a parser reads its body.'

/** As each runtime words it. Asking for `bodyUsed` first would make some servers build the whole request. */
const isOfReadBody = /unusable|already|locked/i

/** Reads a request's body as text, and no byte more than allowed, whatever `Content-Length` says. */
async function readBody(
  request: Request,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<string> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > maxBytes) throw new PayloadTooLargeError(maxBytes)
  const isBounded = length !== null && !request.headers.has('transfer-encoding')
  const deadline = new Deadline(timeoutMs)
  const late = () => new PayloadMalformedError(`The body did not arrive within ${timeoutMs} ms.`)
  let text: string | undefined
  try {
    // HTTP ends a body at its `Content-Length`, so no chunk is checked: that takes a server longer than the signature.
    if (isBounded) text = await deadline.waitFor(request.text(), late)
    else {
      using limit = deadline.limit(late)
      text = await readBoundedBody(request, maxBytes, limit.signal)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof TypeError && isOfReadBody.test(error.message))
      throw new ParameterError('request', 'a request whose body was not read', alreadyRead)
    throw new PayloadMalformedError('The body broke off.')
  }
  // A request made by hand may state another length than it has.
  if (text === undefined || isLarger(text, maxBytes)) throw new PayloadTooLargeError(maxBytes)
  return text
}

/** Whether a text has more bytes of UTF-8. Counts them only if the length of the text allows it. */
function isLarger(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).byteLength > maxBytes
}

/** Taken here, because tests replace the global one. Other runtimes may have none. */
const { setImmediate } = globalThis

/**
 * Takes posts that arrived together through each step together: read, then verify, then write. An answer that is written between
 * two verifications wakes its client by itself, and a post takes half as long again.
 */
export const turnOfLoop = () => setImmediate && new Promise<void>(resolve => setImmediate(resolve))
