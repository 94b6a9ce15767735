import { normalizeIdentityNumber, type Person } from '@service-link/protocol-core/person'
import { PayloadKeyError, PayloadMalformedError } from '../errors/refusals.ts'
import { readBody } from '../http/read-body.ts'
import { readAlgorithm } from '../verify/check-signature.ts'
import { partnerNamesOf, readToken, type UnverifiedToken } from '../verify/read-token.ts'
import {
  checkSigned,
  defaultToleranceSeconds,
  findSigner,
  readTerms,
  type VerifiedPayload,
} from '../verify/verify-payload.ts'
import { answerLink, answerPage, answerPreflight, negotiate, scriptOriginOf } from './answers.ts'
import { type Applied, applyKnown, applyOrHold, createHold, type HeldForLogIn } from './apply-delivery.ts'
import { digestOf, type ReceiverParts, type RequestContext, recordEntry } from './audit.ts'
import type { Partner } from './partner-registration.ts'
import type { AuditOutcome, Delivery, ReceiverStores, ReplayClaim } from './ports.ts'
import { MethodNotAllowedError, RateLimitedError, ReceiverRefusal } from './receiver-errors.ts'

/** Largest body of a post, in bytes. */
const maxFormBytes = 64 * 1024

/** How long a one-time URL can be opened, in seconds. */
const openTimeoutSeconds = 60

/**
 * Answers a post ([specification 4.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md)). Checks method, media type, size, form, token, a script's origin, key, signature, times, audience, claims,
 * the partner's rate and replay, in this order. Then all effects are one transaction.
 */
export async function receivePost(
  request: Request,
  context: RequestContext,
  parts: ReceiverParts,
): Promise<Response> {
  const { partners, audience, clock, rateLimiter, runTransaction, sessions } = parts
  const { requestId, event } = context

  const { headers } = request
  const scriptOrigin = scriptOriginOf(request)
  const isPreflight = request.method === 'OPTIONS' && headers.has('access-control-request-method')
  if (scriptOrigin !== undefined && isPreflight) return answerPreflight(request, requestId)
  if (request.method !== 'POST') throw new MethodNotAllowedError('POST')
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (type !== 'application/x-www-form-urlencoded' || encoding !== 'identity')
    throw new ReceiverRefusal('ERR_MEDIA_TYPE')
  const body = await readBody(request, { maxBytes: maxFormBytes, timeoutMs: parts.bodyTimeoutMs })
  await turnOfLoop()
  const token = readToken(payloadOf(body))

  const now = clock()
  // An unsigned token is refused as unsigned even if it names no partner.
  if (scriptOrigin === undefined) readAlgorithm(token.header)
  const partner = await partners.find(partnerNamesOf(token))
  // Before the signature is checked: any page may run such a script in its visitors' browsers.
  if (scriptOrigin !== undefined && !partner?.scriptOrigins.includes(scriptOrigin))
    throw new ReceiverRefusal('ERR_CROSS_ORIGIN')
  if (!partner)
    throw new PayloadKeyError(
      'No partner is registered for the header’s kid or the claim iss. Send one of them as it was registered.',
    )
  const { keys, issuer, policy } = partner
  // Servers make the signal when it is read.
  const signal = () => request.signal
  const terms = { ...readTerms({ keys, audience, issuer, policy, clock: () => now }), signal }
  const key = await findSigner(token, terms)
  const claims = token.claims()
  context.partner = partner
  context.signed = { text: token.signingInput, claims, policy }
  if (!partner.isActive) throw new ReceiverRefusal('ERR_PARTNER_INACTIVE')
  const verified = checkSigned(token, key, terms)

  const rate = await rateLimiter.take(partner.id, partner.maxPostsPerMinute, now)
  if (!rate.isAllowed) throw new RateLimitedError(rate.retryAfterSeconds)
  const refuseReplayed = async (): Promise<never> => {
    await rateLimiter.giveBack(partner.id, now).catch(() => undefined)
    throw new ReceiverRefusal('ERR_PAYLOAD_REPLAYED')
  }

  const delivery = deliveryOf(partner, verified, requestId)
  const isRepeatable = isRepeatableToken(partner, verified)
  const claim = isRepeatable
    ? repeatableClaimOf(partner, requestId, now)
    : await replayClaimOf(partner, token, verified, requestId)
  const record = (stores: ReceiverStores, outcome: AuditOutcome) =>
    recordEntry(stores, { requestId, at: now, event, outcome }, delivery.employee)
  const take = async (stores: ReceiverStores) => {
    const taken = await stores.replay.consume(claim)
    if (isRepeatable && taken === 'taken') await record(stores, 'repeatable')
    return taken
  }
  const isLink = (negotiate(headers.get('accept')).prefers ?? partner.answer) === 'link'
  if (isLink || scriptOrigin !== undefined) {
    const { handle, hold } = await createHold(openTimeoutSeconds, clock)
    const taken = await runTransaction(
      async stores => {
        const result = await take(stores)
        if (result !== 'taken') return result
        await stores.held.hold('open', hold, delivery)
        await record(stores, 'link')
        return result
      },
      { isRepeatable: true },
    )
    if (taken === 'used') return refuseReplayed()
    parts.tell({ requestId, event, result: 'link', partnerId: partner.id })
    return answerLink(`${audience[0]}/open/${handle}`, request, requestId)
  }

  const before = headers.has('cookie') ? await sessions.current(request) : undefined
  const known = isRepeatable ? undefined : await applyKnown(claim, delivery, request, now, parts)
  if (known) return answerPage(known, request, context, before, parts)
  let former: Applied | HeldForLogIn | undefined
  const visit = await runTransaction(
    async stores => {
      const taken = await take(stores)
      if (taken === 'used') return undefined
      // `again`: the former attempt was committed. Its session must not be made twice.
      if (taken === 'taken' || !former) former = await applyOrHold(stores, delivery, request, 'post', parts)
      return former
    },
    { isRepeatable: true },
  )
  if (!visit) return refuseReplayed()
  return answerPage(visit, request, context, before, parts)
}

/** Taken here, because tests replace the global one. Other runtimes may have none. */
const { setImmediate } = globalThis

/**
 * Takes posts that arrived together through each step together: read, then verify, then write. An answer that is written between
 * two verifications wakes its client by itself, and a post takes half as long again.
 */
export const turnOfLoop = () => setImmediate && new Promise<void>(resolve => setImmediate(resolve))

/** Reads the form's field `payload`. */
function payloadOf(body: string): string {
  // Most clients send the token alone, without escapes.
  const plain = /^payload=([\w.-]+)$/.exec(body)?.[1]
  if (plain !== undefined) return plain
  const values = new URLSearchParams(body).getAll('payload')
  if (values.length > 1)
    throw new PayloadMalformedError('The form has more than one field named payload. Send one.')
  const token = values[0]?.trim()
  if (!token) throw new ReceiverRefusal('ERR_PAYLOAD_MISSING')
  return token
}

function deliveryOf(partner: Partner, { payload, person }: VerifiedPayload, requestId: string): Delivery {
  const { id, name, appearance, frameOrigins, contactIdIsSsn } = partner
  const { organizationId, employeeId } = payload
  return {
    requestId,
    partner: { id, name, appearance, frameOrigins },
    employee: { partnerId: id, organizationId, employeeId },
    person: contactIdIsSsn ? withSsn(person) : person,
    payload,
  }
}

/** Copies a `contact.id` that has the form of an identity number to `ssn`. */
function withSsn(person: Person): Person {
  const { ssn, customId } = person
  const isNumber = customId !== undefined && normalizeIdentityNumber(customId) !== undefined
  return ssn === undefined && isNumber ? { ...person, ssn: customId } : person
}

/** Whether the token is a test partner's sample, which is taken each time. */
function isRepeatableToken({ repeatable, policy }: Partner, { times, tokenId }: VerifiedPayload): boolean {
  return repeatable && policy === 'lenient' && tokenId === undefined && times.endsAt === undefined
}

/** The key of one post: a transaction that is run again finds it, and no other post does. */
function repeatableClaimOf({ id }: Partner, requestId: string, now: Date): ReplayClaim {
  const expiresAt = new Date(now.getTime() + onItsWaySeconds * 1000)
  return { key: `repeatable:${encodeURIComponent(id)}:${requestId}`, expiresAt, requestId }
}

/** The end of a token without times: it never expires, so its key is kept for ever. */
const endOfTime = new Date('9999-12-31T00:00:00Z')

/** Longest time from the check of the times to the store, in seconds. The store must still know the key then. */
const onItsWaySeconds = 60

/**
 * Makes the token usable once: under `strict` by the partner's `jti`; under `lenient` by the digest of the signed part.
 * Others can rewrite some signatures, but only the signer can rewrite that part.
 */
async function replayClaimOf(
  { id, policy }: Partner,
  token: UnverifiedToken,
  { times, tokenId }: VerifiedPayload,
  requestId: string,
): Promise<ReplayClaim> {
  // A `jti` such as a UUID is its own key. Other text is digested: it may be long, or hold characters that a database refuses.
  const isKey = tokenId && /^[\w-]{16,128}$/.test(tokenId)
  const strictKey = () => (isKey ? `id.${tokenId}` : digestOf(String(tokenId)))
  const key = policy === 'lenient' ? await digestOf(token.signingInput) : await strictKey()
  const { endsAt } = times
  return {
    key: `${policy}:${encodeURIComponent(id)}:${key}`,
    expiresAt: endsAt
      ? new Date(endsAt.getTime() + (defaultToleranceSeconds + onItsWaySeconds) * 1000)
      : endOfTime,
    requestId,
  }
}
