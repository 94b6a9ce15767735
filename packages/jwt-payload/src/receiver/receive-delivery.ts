import { PayloadKeyError } from '../errors/payload-errors.ts'
import { readAlgorithm } from '../verify/choose-keys.ts'
import { readToken, type UnverifiedToken } from '../verify/read-token.ts'
import { verifyToken } from '../verify/verify-payload.ts'
import type { Delivery } from './ports/delivery.ts'
import type { PartnerDirectory, PartnerHint } from './ports/partners.ts'
import type { ReplayClaim } from './ports/replay.ts'
import { PartnerInactiveError } from './receiver-errors.ts'
import { replayClaimOf } from './replay-claim.ts'

/** Context of {@link receiveDelivery}. */
export interface ReceiveContext {
  readonly partners: PartnerDirectory
  readonly audience: readonly string[]
  readonly toleranceSeconds: number
  readonly now: Date
}

/**
 * Makes a delivery of a token: reads it, finds the partner by its `kid`, else its `iss`, and verifies it with the partner's
 * keys and policy.
 *
 * @param request its `partnerId` is set once the signature was verified
 * @throws {Refusal} for the first check that fails
 */
export async function receiveDelivery(
  text: string,
  request: { readonly requestId: string; partnerId: string | undefined },
  { partners, audience, toleranceSeconds, now }: ReceiveContext,
): Promise<{ readonly delivery: Delivery; readonly replay: ReplayClaim }> {
  const token = readToken(text)
  // Before a partner is looked for, so that an unsigned token is told so.
  readAlgorithm(token.header)
  const partner = await partners.find(hintOf(token))
  if (!partner)
    throw new PayloadKeyError(
      'No partner is registered for the header’s kid or the claim iss. Send one of them as it was registered.',
    )
  const { id, name, issuer, policy, keys } = partner
  const verified = await verifyToken(token, {
    keys,
    audience,
    issuer,
    policy,
    toleranceSeconds,
    clock: () => now,
    onSigned: () => {
      request.partnerId = id
      if (!partner.isActive) throw new PartnerInactiveError()
    },
  })
  const { payload, person } = verified
  const { organizationId, employeeId } = payload
  const delivery: Delivery = {
    requestId: request.requestId,
    partner: { id, name },
    employee: { partnerId: id, organizationId, employeeId },
    person,
    payload,
  }
  return { delivery, replay: await replayClaimOf(partner, token, verified, toleranceSeconds) }
}

function hintOf({ header, claims }: UnverifiedToken): PartnerHint {
  return {
    keyId: textOf(header.kid),
    certificateDigest: textOf(header['x5t#S256']) ?? textOf(header.x5t),
    issuer: textOf(claims().iss),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 1024 ? value : undefined
}
