import { PayloadExpiredError, PayloadNotYetValidError, PayloadTimesError } from '../errors/payload-errors.ts'
import type { PayloadPolicy } from './policy.ts'

/** Longest time from `iat` to `exp` under the policy `strict`, in seconds. */
export const maxSpanSeconds = 300

/** Seconds after `iat` at which a token without `exp` ends, so that the store of used tokens can forget it: a day. */
const lifeWithoutExpSeconds = 86_400

/** Time claims of a token. */
export interface PayloadTimes {
  readonly issuedAt: Date | undefined
  readonly notBefore: Date | undefined
  readonly expiresAt: Date | undefined
}

/**
 * Checks the time claims.
 *
 * @throws {PayloadTimesError} when one is not a number of seconds, or under `strict` missing or too far apart
 * @throws {PayloadExpiredError} when `exp`, or without it the day that begins with `iat`, ended before the tolerance
 * @throws {PayloadNotYetValidError} when `nbf` or `iat` lies more than the tolerance in the future
 */
export function checkTimes(
  claims: Readonly<Record<string, unknown>>,
  options: { readonly policy: PayloadPolicy; readonly now: Date; readonly toleranceSeconds: number },
): PayloadTimes {
  const iat = readSeconds(claims, 'iat')
  const nbf = readSeconds(claims, 'nbf')
  const exp = readSeconds(claims, 'exp')
  if (options.policy === 'strict') assertSpan(iat, exp)
  const now = options.now.getTime() / 1000
  const { toleranceSeconds } = options
  const end = endOf(iat, exp)
  if (end !== undefined && now >= end + toleranceSeconds) throw new PayloadExpiredError(now - end)
  if (nbf !== undefined && nbf > now + toleranceSeconds) throw new PayloadNotYetValidError('nbf', nbf - now)
  if (iat !== undefined && iat > now + toleranceSeconds) throw new PayloadNotYetValidError('iat', iat - now)
  return { issuedAt: toDate(iat), notBefore: toDate(nbf), expiresAt: toDate(exp) }
}

/** When a token ends whose times were checked; `undefined` for one that carries no time. */
export function endOfTimes({ issuedAt, expiresAt }: PayloadTimes): Date | undefined {
  return toDate(endOf(toSeconds(issuedAt), toSeconds(expiresAt)))
}

function endOf(iat: number | undefined, exp: number | undefined): number | undefined {
  return exp ?? (iat === undefined ? undefined : iat + lifeWithoutExpSeconds)
}

function assertSpan(iat: number | undefined, exp: number | undefined): void {
  if (iat === undefined || exp === undefined)
    throw new PayloadTimesError(
      `The claims iat and exp are required; ${iat === undefined ? 'iat' : 'exp'} is missing.`,
    )
  if (exp <= iat) throw new PayloadTimesError('The claim exp must be later than iat.')
  if (exp - iat > maxSpanSeconds)
    throw new PayloadTimesError(`The claim exp must be at most ${maxSpanSeconds} s later than iat.`)
}

/** Seconds since 1970, with a fraction if the sender likes; up to the year 9999. */
function readSeconds(claims: Readonly<Record<string, unknown>>, claim: string): number | undefined {
  const value = claims[claim]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || value < 0 || value > 253402300799)
    throw new PayloadTimesError(`The claim ${claim} must be a number: seconds since 1970-01-01 UTC.`)
  return value
}

function toSeconds(date: Date | undefined): number | undefined {
  return date === undefined ? undefined : date.getTime() / 1000
}

function toDate(seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000)
}
