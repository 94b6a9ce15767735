import type { UnverifiedToken } from '../verify/read-token.ts'
import type { VerifiedPayload } from '../verify/verify-payload.ts'
import { digestOf } from './handles.ts'
import type { Partner } from './ports/partners.ts'
import type { ReplayClaim } from './ports/replay.ts'

/** For a token that never expires: its key is never forgotten. */
const endOfTime = new Date('9999-12-31T00:00:00Z')

/**
 * What makes the token usable once: under `strict` the partner's `jti`; under `lenient` the digest of what was signed,
 * which, unlike the signature, nobody but the signer can write in another way.
 */
export async function replayClaimOf(
  partner: Partner,
  token: UnverifiedToken,
  verified: VerifiedPayload,
  toleranceSeconds: number,
): Promise<ReplayClaim> {
  const { expiresAt } = verified.times
  return {
    key: `${partner.policy}:${encodeURIComponent(partner.id)}:${await identityOf(partner, token, verified)}`,
    expiresAt: expiresAt ? new Date(expiresAt.getTime() + toleranceSeconds * 1000) : endOfTime,
  }
}

function identityOf(
  partner: Partner,
  token: UnverifiedToken,
  { tokenId }: VerifiedPayload,
): string | Promise<string> {
  if (partner.policy === 'lenient') return digestOf(token.signingInput)
  // A UUID and its like is its own key; other text could be long, or hold what a database refuses.
  return tokenId && /^[\w-]{16,128}$/.test(tokenId) ? `id.${tokenId}` : digestOf(String(tokenId))
}
