import type { Refusal } from '../errors/refusal.ts'
import type { Verification } from '../verify/payload-checks.ts'
import { describeMoment, describeSpan } from './describe-moment.ts'
import type { Words } from './explained-check.ts'
import { quoteValue } from './quote-text.ts'

const timeClaims = ['iat', 'nbf', 'exp'] as const

/** Numbers above it are no seconds of this millennium, and below it no milliseconds since 1973. */
const leastMilliseconds = 100_000_000_000

/** Largest offset of a time zone, in seconds. */
const maxOffset = 14 * 3600

/** What is said of `iat`, `nbf` and `exp`. */
export function describeTimes(verification: Verification, refusal: Refusal | undefined): Words {
  const { claims = {}, now, policy, toleranceSeconds } = verification
  const moments = timeClaims.flatMap(claim => {
    const value = claims[claim]
    if (typeof value === 'number' && value < leastMilliseconds)
      return [`${claim} is ${describeMoment(value, now)}`]
    return value === undefined ? [] : [`${claim} is ${quoteShape(value)}`]
  })
  const says = moments.length === 0 ? 'There are no iat, nbf and exp.' : `${moments.join('; ')}.`
  if (!refusal)
    return {
      says: policy === 'lenient' && moments.length === 0 ? `${says} The policy lenient takes that.` : says,
    }
  return {
    says: `${says} ${sentenceOf(refusal, claims, now, toleranceSeconds)}`,
    change: changeFor(refusal, claims, now),
  }
}

function sentenceOf(
  refusal: Refusal,
  { iat, exp }: Readonly<Record<string, unknown>>,
  now: Date,
  toleranceSeconds: number,
): string {
  if (refusal.code === 'ERR_PAYLOAD_EXPIRED' && typeof exp === 'number')
    return `The claim exp was ${describeSpan(now.getTime() / 1000 - exp)} ago; ${toleranceSeconds} seconds are tolerated.`
  if (refusal.code === 'ERR_PAYLOAD_TIMES' && typeof iat === 'number' && typeof exp === 'number' && exp > iat)
    return `From iat to exp it is ${describeSpan(exp - iat)}. ${refusal.message}`
  return refusal.message
}

function changeFor(refusal: Refusal, claims: Readonly<Record<string, unknown>>, now: Date): string {
  const given = timeClaims.map(claim => claims[claim]).filter(value => value !== undefined)
  if (given.some(value => Number(value) >= leastMilliseconds))
    return 'These are milliseconds, and a JWT counts seconds: divide by 1000, and round down.'
  if (given.some(value => typeof value === 'string'))
    return 'Write iat and exp as JSON numbers, without quotation marks: seconds since 1970-01-01 UTC.'
  const zone = offsetOf(claims, now)
  const isAhead = refusal.code === 'ERR_PAYLOAD_NOT_YET_VALID'
  if (zone !== undefined && isAhead) return `The signing server’s time is wrong by ${zoneMistake(zone)}`
  switch (refusal.code) {
    case 'ERR_PAYLOAD_EXPIRED': {
      const change =
        'Sign when the user clicks, not when the page is made, and post at once. If you do, set the signing server’s clock.'
      // As likely it is a token that was saved.
      return zone === undefined
        ? change
        : `${change} If it was signed just now, that clock is late by ${zoneMistake(zone)}`
    }
    case 'ERR_PAYLOAD_NOT_YET_VALID':
      return 'Set the signing server’s clock, by NTP; do not add time to iat or nbf.'
    default:
      return 'Write iat, the time of signing, and exp, a minute later (at most five), both in seconds.'
  }
}

function zoneMistake(seconds: number): string {
  return `almost exactly ${describeSpan(seconds)}: it writes local time as if it were UTC, or its time zone is set wrong. Use a function that gives UTC.`
}

/** How far `iat` is from now, when that is a time zone’s offset and not an age: half hours, to two minutes. */
function offsetOf({ iat, exp }: Readonly<Record<string, unknown>>, now: Date): number | undefined {
  const signed = typeof iat === 'number' ? iat : exp
  if (typeof signed !== 'number') return undefined
  const away = Math.abs(now.getTime() / 1000 - signed)
  const nearest = Math.round(away / 1800) * 1800
  return nearest >= 3600 && nearest <= maxOffset && Math.abs(away - nearest) <= 120 ? nearest : undefined
}

function quoteShape(value: unknown): string {
  return typeof value === 'string' ? 'text' : quoteValue(value)
}
