import { endOfTimes } from '../../verify/check-claims.ts'
import type { UnverifiedToken } from '../../verify/read-token.ts'
import type { VerifiedPayload } from '../../verify/verify-payload.ts'
import { digestOf } from '../handles.ts'
import type { Partner } from '../ports/partners.ts'
import type { ReplayClaim } from '../ports/replay.ts'

/** For a token that carries no time at all, and so is never refused for its age: its key is never forgotten. */
const endOfTime = new Date('9999-12-31T00:00:00Z')

/** A post that was verified in the last moment may be this long on its way to the store, which must still know the key. */
const onItsWaySeconds = 60

/** What {@link replayClaimOf} needs. */
export interface ReplayInput {
  readonly partner: Partner
  readonly token: UnverifiedToken
  readonly verified: VerifiedPayload
  readonly toleranceSeconds: number
  readonly requestId: string
}

/**
 * What makes the token usable once: under `strict` the partner's `jti`; under `lenient` the digest of what was signed,
 * which, unlike the signature, nobody but the signer can write in another way.
 */
export async function replayClaimOf(input: ReplayInput): Promise<ReplayClaim> {
  const { partner, requestId } = input
  return {
    key: `${partner.policy}:${encodeURIComponent(partner.id)}:${await identityOf(input)}`,
    expiresAt: forgottenAt(input),
    requestId,
  }
}

/** When the token's key may be forgotten: after it is refused for its age. */
function forgottenAt({ verified, toleranceSeconds }: ReplayInput): Date {
  const endsAt = endOfTimes(verified.times)
  return endsAt ? new Date(endsAt.getTime() + (toleranceSeconds + onItsWaySeconds) * 1000) : endOfTime
}

function identityOf({ partner, token, verified }: ReplayInput): string | Promise<string> {
  if (partner.policy === 'lenient') return digestOf(token.signingInput)
  const { tokenId } = verified
  // A UUID and its like is its own key; other text could be long, or hold what a database refuses.
  return tokenId && /^[\w-]{16,128}$/.test(tokenId) ? `id.${tokenId}` : digestOf(String(tokenId))
}
