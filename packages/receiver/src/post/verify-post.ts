import { PayloadKeyError } from '@service-link/jwt-payload'
import {
  checkSigned,
  findSigner,
  namesIn,
  PartnerInactiveError,
  readAlgorithm,
  type SignedToken,
  toleranceSeconds,
  type UnverifiedToken,
} from '@service-link/jwt-payload/steps'
import { type EndClaims, normalizeIdentityNumber, type Person } from '@service-link/protocol-core/person'
import type { Partner } from '../partner-directory.ts'
import { ReceiverRefusal } from '../receiver-errors.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import { digestOf } from '../stores/digests.ts'
import type { Delivery, EmployeeKey, ReplayClaim } from '../stores/ports.ts'
import type { Visitor } from './headers.ts'

/** A post whose token a registered partner has signed. */
export interface SignedPost {
  readonly partner: Partner
  readonly token: SignedToken
  readonly at: Date
}

/** Finds the partner that a token names, and checks that a key of this partner has signed it. */
export async function findSigningPartner(
  token: UnverifiedToken,
  { scriptOrigin, request }: Visitor,
  { partners, clock }: ReceiverSettings,
): Promise<SignedPost> {
  const at = clock()
  // An unsigned token is refused as unsigned even if it names no partner.
  if (scriptOrigin === undefined) readAlgorithm(token.header)
  const partner = await partners.find(namesIn(token))
  // Before the signature is checked: any page may run such a script in its visitors' browsers.
  if (scriptOrigin !== undefined && !partner?.scriptOrigins.includes(scriptOrigin))
    throw new ReceiverRefusal('ERR_CROSS_ORIGIN')
  if (!partner)
    throw new PayloadKeyError(
      'No partner is registered for the header’s kid or the claim iss. Send one of them as it was registered.',
    )
  // Servers make the signal when it is read.
  const signal = () => request.signal
  return { partner, token: await findSigner(token, { keys: partner.keys, now: at, signal }), at }
}

/** A verified token, before it takes effect. */
export interface VerifiedToken {
  readonly partner: Partner
  readonly requestId: string
  readonly employee: EmployeeKey
  readonly claim: ReplayClaim
  /** Whether the token is a test partner's sample, which is taken each time. */
  readonly isRepeatable: boolean
  readonly at: Date
}

/** A verified payload. */
export interface VerifiedPost extends VerifiedToken {
  readonly delivery: Delivery
}

/** A verified end. */
export interface VerifiedEnd extends VerifiedToken {
  readonly end: EndClaims['end']
}

/** Checks the claims of a signed post, and makes its delivery, or its end, and the key that makes its token usable once. */
export async function makeDelivery(
  { partner, token, at }: SignedPost,
  requestId: string,
  audience: readonly string[],
): Promise<VerifiedPost | VerifiedEnd> {
  const { id, name, appearance, frameOrigins, issuer, policy, ends } = partner
  if (!partner.isActive) throw new PartnerInactiveError()
  const terms = { audience, issuer, policy, ends, now: at }
  const verified = checkSigned(token, terms)
  const { payload, times, tokenId } = verified
  const { organizationId, employeeId } = payload
  const employee = { partnerId: id, organizationId, employeeId }
  const isRepeatable =
    partner.repeatable && policy === 'lenient' && tokenId === undefined && times.endsAt === undefined
  const usableOnce = policy === 'strict' ? tokenId : undefined
  const signed: VerifiedToken = {
    partner,
    requestId,
    employee,
    claim: isRepeatable
      ? repeatableClaim(id, requestId, at)
      : {
          key: `${policy}:${encodeURIComponent(id)}:${await tokenKey(usableOnce, token.signingInput)}`,
          expiresAt: times.endsAt ? secondsAfter(times.endsAt, toleranceSeconds) : endOfTime,
          requestId,
        },
    isRepeatable,
    at,
  }
  if (verified.person === undefined) return { ...signed, end: verified.payload.end }
  const { person } = verified
  const delivery: Delivery = {
    requestId,
    partner: { id, name, appearance, frameOrigins },
    employee,
    person: partner.contactIdIsSsn ? withSsn(person) : person,
    payload: verified.payload,
  }
  return { ...signed, delivery }
}

/** Copies a `contact.id` that has the form of an identity number to `ssn`. */
function withSsn(person: Person): Person {
  const { ssn, customId } = person
  const isNumber = customId !== undefined && normalizeIdentityNumber(customId) !== undefined
  return ssn === undefined && isNumber ? { ...person, ssn: customId } : person
}

/** The key of one post: a transaction that is run again finds it, and no other post does. */
const repeatableClaim = (partnerId: string, requestId: string, at: Date): ReplayClaim => ({
  key: `repeatable:${encodeURIComponent(partnerId)}:${requestId}`,
  expiresAt: secondsAfter(at, 0),
  requestId,
})

/** The end of a token without times: it never expires, so its key is kept for ever. */
const endOfTime = new Date('9999-12-31T00:00:00Z')

/** Longest time from the check of the times to the store, in seconds. The store must still know the key then. */
const onItsWaySeconds = 60

const secondsAfter = (time: Date, seconds: number) =>
  new Date(time.getTime() + (seconds + onItsWaySeconds) * 1000)

/**
 * What makes a token usable once: under `strict` the partner's `jti`; under `lenient` the digest of the signed part. Others can
 * rewrite some signatures, but only the signer can rewrite that part.
 */
function tokenKey(tokenId: string | undefined, signingInput: string): string | Promise<string> {
  if (tokenId === undefined) return digestOf(signingInput)
  // A `jti` such as a UUID is its own key. Other text is digested: it may be long, or hold characters that a database refuses.
  return /^[\w-]{16,128}$/.test(tokenId) ? `id.${tokenId}` : digestOf(tokenId)
}
