import { PayloadExpiredError } from '../../errors/payload-errors.ts'
import type { UnverifiedToken } from '../../verify/read-token.ts'
import type { VerifiedPayload } from '../../verify/verify-payload.ts'
import { digestOf } from '../handles.ts'
import type { Partner } from '../ports/partners.ts'
import type { ReplayClaim } from '../ports/replay.ts'

/** For a token that carries no time at all, and so is never refused for its age: its key is never forgotten. */
const endOfTime = new Date('9999-12-31T00:00:00Z')

/** Seconds after `iat` at which a token without `exp` ends, so that its key can be forgotten: a day. */
const lifeWithoutExpSeconds = 86_400

/** A post that was verified in the last moment may be this long on its way to the store, which must still know the key. */
const onItsWaySeconds = 60

/** What {@link replayClaimOf} needs. */
export interface ReplayInput {
  readonly partner: Partner
  readonly token: UnverifiedToken
  readonly verified: VerifiedPayload
  readonly toleranceSeconds: number
  readonly now: Date
  readonly requestId: string
}

/**
 * What makes the token usable once: under `strict` the partner's `jti`; under `lenient` the digest of what was signed,
 * which, unlike the signature, nobody but the signer can write in another way.
 *
 * @throws {PayloadExpiredError} for a token without `exp` whose `iat` is a day old or older
 */
export async function replayClaimOf(input: ReplayInput): Promise<ReplayClaim> {
  const { partner, requestId } = input
  // Before the digest: what is refused for its age needs none.
  const expiresAt = forgottenAt(input)
  return {
    key: `${partner.policy}:${encodeURIComponent(partner.id)}:${await identityOf(input)}`,
    expiresAt,
    requestId,
  }
}

/** When the token's key may be forgotten: after it is refused for its age. */
function forgottenAt({ verified, toleranceSeconds, now }: ReplayInput): Date {
  const { issuedAt, expiresAt } = verified.times
  const endsAt = expiresAt ?? (issuedAt && secondsAfter(issuedAt, lifeWithoutExpSeconds))
  if (!endsAt) return endOfTime
  if (now >= secondsAfter(endsAt, toleranceSeconds))
    throw new PayloadExpiredError((now.getTime() - endsAt.getTime()) / 1000)
  return secondsAfter(endsAt, toleranceSeconds + onItsWaySeconds)
}

function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000)
}

function identityOf({ partner, token, verified }: ReplayInput): string | Promise<string> {
  if (partner.policy === 'lenient') return digestOf(token.signingInput)
  const { tokenId } = verified
  // A UUID and its like is its own key; other text could be long, or hold what a database refuses.
  return tokenId && /^[\w-]{16,128}$/.test(tokenId) ? `id.${tokenId}` : digestOf(String(tokenId))
}
