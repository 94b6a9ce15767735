import type { Verification } from '../verify/payload-checks.ts'
import type { ExplainedCheck } from './explained-check.ts'
import { quoteValue } from './quote-text.ts'

/** What is left to the service, with what it is going to look at. */
export function serviceChecks(verification: Verification | undefined): readonly ExplainedCheck[] {
  const header = verification?.token.header ?? {}
  const claims = verification?.claims ?? {}
  const isTrusted = verification?.key !== undefined
  const left = { outcome: 'not-checked', isTrusted } as const
  return [
    {
      ...left,
      check: 'partner',
      says: `Only the service knows whether ${nameOf(header.kid, claims.iss)} is registered with it, and whether that partner is active (ERR_PAYLOAD_KEY, ERR_PARTNER_INACTIVE).`,
    },
    {
      ...left,
      check: 'rate',
      says: 'Only the service knows how much you have posted in the last minute (ERR_RATE_LIMITED).',
    },
    {
      ...left,
      check: 'replay',
      says: 'Only the service knows whether this token was posted before; each works once, also when it was posted for a try (ERR_PAYLOAD_REPLAYED).',
    },
  ]
}

/** What the service finds the partner by: `kid`, else `iss`. */
function nameOf(kid: unknown, iss: unknown): string {
  if (kid === undefined && iss === undefined) return 'a token without kid and iss'
  const names = [
    kid === undefined ? [] : [`kid ${quoteValue(kid)}`],
    iss === undefined ? [] : [`iss ${quoteValue(iss)}`],
  ]
  return names.flat().join(' or ')
}
