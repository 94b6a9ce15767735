import { type Person, readPayload } from '@service-link/protocol-core/person'
import { PayloadKeyError, PayloadMalformedError } from '../errors/refusals.ts'
import { readBody } from '../http/read-body.ts'
import { readAlgorithm } from '../verify/check-signature.ts'
import { partnerNamesOf, readToken, type UnverifiedToken } from '../verify/read-token.ts'
import { defaultToleranceSeconds, type VerifiedPayload, verifyToken } from '../verify/verify-payload.ts'
import { answerLink, answerPage, negotiate } from './answers.ts'
import { type Applied, applyOrHold, createHold, type HeldForLogIn } from './apply-delivery.ts'
import { type AuditFacts, auditEntry, digestOf, type Reporter, type RequestContext } from './audit.ts'
import type { Partner } from './partner-registration.ts'
import type { Delivery, ReplayClaim } from './ports.ts'
import { MethodNotAllowedError, RateLimitedError, ReceiverRefusal } from './receiver-errors.ts'
import type { ReceiverSettings } from './receiver-options.ts'
import { normalizeIdentityNumber } from './same-person.ts'

/** Largest body of a post, in bytes. */
const maxFormBytes = 64 * 1024

/** How long a one-time URL can be opened, in seconds. */
const openTimeoutSeconds = 60

/**
 * Answers a post ([specification 4.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md)). Checks method, media type, size, form, token, key, signature, times, audience, claims,
 * the partner's rate and replay, in this order. Then all effects are one transaction.
 */
export async function receivePost(
  request: Request,
  context: RequestContext,
  settings: ReceiverSettings,
  reporter: Reporter,
): Promise<Response> {
  const { partners, audience, clock, rateLimiter, runTransaction, sessions } = settings
  const { requestId, event } = context

  if (request.method !== 'POST') throw new MethodNotAllowedError('POST')
  const { headers, signal } = request
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (type !== 'application/x-www-form-urlencoded' || encoding !== 'identity')
    throw new ReceiverRefusal('ERR_MEDIA_TYPE')
  const body = await readBody(request, { maxBytes: maxFormBytes, timeoutMs: settings.bodyTimeoutMs })
  const token = readToken(payloadOf(body))

  const now = clock()
  // An unsigned token is refused as unsigned even if it names no partner.
  readAlgorithm(token.header)
  const partner = await partners.find(partnerNamesOf(token))
  if (!partner)
    throw new PayloadKeyError(
      'No partner is registered for the header’s kid or the claim iss. Send one of them as it was registered.',
    )
  const { keys, issuer, policy } = partner
  const verified = await verifyToken(token, {
    keys,
    audience,
    issuer,
    policy,
    clock: () => now,
    signal,
    onSigned: () => {
      context.partner = partner
      context.signed = token.signingInput
      context.employee = employeeOf(token)
      if (!partner.isActive) throw new ReceiverRefusal('ERR_PARTNER_INACTIVE')
    },
  })

  const rate = await rateLimiter.take(partner.id, partner.maxPostsPerMinute, now)
  if (!rate.isAllowed) throw new RateLimitedError(rate.retryAfterSeconds)
  const refuseReplayed = async (): Promise<never> => {
    await rateLimiter.giveBack(partner.id, now).catch(() => undefined)
    throw new ReceiverRefusal('ERR_PAYLOAD_REPLAYED')
  }

  const delivery = deliveryOf(partner, verified, requestId)
  const claim = await replayClaimOf(partner, token, verified, requestId)
  const wanted = negotiate(headers.get('accept')).prefers ?? partner.answer
  if (wanted === 'link') {
    const { handle, hold } = await createHold(openTimeoutSeconds, clock)
    const taken = await runTransaction(
      async ({ replay, held, audit }) => {
        const result = await replay.consume(claim)
        if (result !== 'taken') return result
        await held.hold('open', hold, delivery)
        const facts: AuditFacts = { requestId, at: now, event, outcome: 'link' }
        await audit.record(await auditEntry(facts, delivery.employee))
        return result
      },
      { isRepeatable: true },
    )
    if (taken === 'used') return refuseReplayed()
    reporter.tell({ requestId, event, result: 'link', partnerId: partner.id })
    return answerLink(`${audience[0]}/open/${handle}`, requestId)
  }

  const before = headers.has('cookie') ? await sessions.current(request) : undefined
  let former: Applied | HeldForLogIn | undefined
  const visit = await runTransaction(
    async stores => {
      const taken = await stores.replay.consume(claim)
      if (taken === 'used') return undefined
      // `again`: the former attempt was committed. Its session must not be made twice.
      if (taken === 'taken' || !former)
        former = await applyOrHold(stores, delivery, request, 'post', settings)
      return former
    },
    { isRepeatable: true },
  )
  if (!visit) return refuseReplayed()
  return answerPage(visit, request, context, before, settings, reporter)
}

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

/** Reads the employee of a signed token for the audit log. Leaves out identifiers that are not acceptable. */
function employeeOf({ claims }: UnverifiedToken): NonNullable<RequestContext['employee']> {
  const { organizationId, employeeId } = readPayload(claims()).payload
  return { organizationId, employeeId }
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
