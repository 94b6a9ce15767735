import { type Person, payloadSchema } from '@service-link/protocol-core'
import { PayloadKeyError } from '../../errors/refusals.ts'
import { readAlgorithm } from '../../verify/choose-keys.ts'
import { readToken, type UnverifiedToken } from '../../verify/read-token.ts'
import { verifyToken } from '../../verify/verify-payload.ts'
import { normalizeIdentityNumber } from '../identity-number.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { Partner, PartnerHint } from '../ports/partners.ts'
import type { ReplayClaim } from '../ports/replay.ts'
import { PartnerInactiveError } from '../receiver-errors.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import type { RequestContext } from '../request-context.ts'
import { replayClaimOf } from './replay-claim.ts'

/** A verified payload with its partner. */
export interface Received {
  readonly partner: Partner
  readonly delivery: Delivery
  readonly replay: ReplayClaim
}

/**
 * Makes a delivery of a token: reads it, finds the partner by its `kid`, else its `iss`, and verifies it with the partner's
 * keys and policy.
 *
 * @param context told of the partner once the signature was verified
 * @param signal gives up the wait for the partner's key set: its client has gone
 * @throws {Refusal} for the first check that fails
 * @throws the signal's reason, when it aborts while a key set is fetched
 */
export async function receiveDelivery(
  text: string,
  context: RequestContext,
  settings: Pick<ReceiverSettings, 'partners' | 'audience' | 'toleranceSeconds'>,
  now: Date,
  signal?: AbortSignal,
): Promise<Received> {
  const { partners, audience, toleranceSeconds } = settings
  const { requestId } = context
  const token = readToken(text)
  // Before a partner is looked for, so that an unsigned token is told so.
  readAlgorithm(token.header)
  const partner = await partners.find(hintOf(token))
  if (!partner)
    throw new PayloadKeyError(
      'No partner is registered for the header’s kid or the claim iss. Send one of them as it was registered.',
    )
  const { id, name, appearance, frameOrigins, issuer, policy, keys } = partner
  const verified = await verifyToken(token, {
    keys,
    audience,
    issuer,
    policy,
    toleranceSeconds,
    clock: () => now,
    signal,
    onSigned: () => {
      context.partner = partner
      context.signed = token.signingInput
      context.employee = employeeOf(token)
      if (!partner.isActive) throw new PartnerInactiveError()
    },
  })
  const { payload, person } = verified
  const { organizationId, employeeId } = payload
  const delivery: Delivery = {
    requestId,
    partner: { id, name, appearance, frameOrigins },
    employee: { partnerId: id, organizationId, employeeId },
    person: partner.contactIdIsSsn ? withSsn(person) : person,
    payload,
  }
  const replay = await replayClaimOf({ partner, token, verified, toleranceSeconds, requestId })
  return { partner, delivery, replay }
}

/** Of a partner whose identifier is the identity number; what cannot be one stays an identifier alone. */
function withSsn(person: Person): Person {
  const { ssn, customId } = person
  const isNumber = customId !== undefined && normalizeIdentityNumber(customId) !== undefined
  return ssn === undefined && isNumber ? { ...person, ssn: customId } : person
}

function hintOf({ header, claims }: UnverifiedToken): PartnerHint {
  return {
    keyId: textOf(header.kid),
    certificateDigest: textOf(header['x5t#S256']) ?? textOf(header.x5t),
    get issuer() {
      return textOf(claims().iss)
    },
  }
}

/** For the audit log, should the claims be refused: what they would be taken as. What would not be taken is left out. */
function employeeOf({ claims }: UnverifiedToken): RequestContext['employee'] {
  const { shape } = payloadSchema
  const { data: organizationId } = shape.organizationId.safeParse(claims().organizationId)
  const { data: employeeId } = shape.employeeId.safeParse(claims().employeeId)
  return {
    ...(organizationId ? { organizationId } : {}),
    ...(employeeId ? { employeeId } : {}),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 1024 ? value : undefined
}
