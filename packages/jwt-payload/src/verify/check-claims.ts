import { findTextProblem, type PayloadClaims, readPayload } from '@service-link/protocol-core/person'
import {
  PayloadAudienceError,
  PayloadExpiredError,
  PayloadKeyError,
  PayloadNotYetValidError,
  PayloadShapeError,
  PayloadTimesError,
} from '../errors/refusals.ts'
import type { JsonObject } from './read-token.ts'

/**
 * The claims that a partner's tokens need. `strict`: `exp` and `iat` at most 5 minutes apart, `aud`, and a `jti` that is used
 * once. `lenient`: each of these may be absent and is checked if present. The token's digest then makes it usable once.
 */
export type PayloadPolicy = 'strict' | 'lenient'

/** Checks `iss`. */
export function checkIssuer({ iss }: JsonObject, expected: string | undefined): void {
  if (expected !== undefined && iss !== undefined && iss !== expected)
    throw new PayloadKeyError('The claim iss is not the issuer that this key is registered for.')
}

/** Longest time from `iat` to `exp` under the policy `strict`, in seconds. */
export const maxSpanSeconds = 300

/** Life of a token without `exp`, in seconds: a day. The store of used tokens can then forget it. */
const lifeWithoutExpSeconds = 86_400

/** Time claims of a token. */
export interface PayloadTimes {
  readonly issuedAt: Date | undefined
  readonly notBefore: Date | undefined
  readonly expiresAt: Date | undefined
  /** When the token is refused for its age: `expiresAt`, or a day after `issuedAt`; `undefined` without both. */
  readonly endsAt: Date | undefined
}

/** Checks the time claims. */
export function checkTimes(
  claims: JsonObject,
  options: { readonly policy: PayloadPolicy; readonly now: Date; readonly toleranceSeconds: number },
): PayloadTimes {
  const iat = readSeconds(claims, 'iat')
  const nbf = readSeconds(claims, 'nbf')
  const exp = readSeconds(claims, 'exp')
  if (options.policy === 'strict') assertSpan(iat, exp)
  const now = options.now.getTime() / 1000
  const { toleranceSeconds } = options
  const end = exp ?? (iat === undefined ? undefined : iat + lifeWithoutExpSeconds)
  if (end !== undefined && now >= end + toleranceSeconds) throw new PayloadExpiredError(now - end)
  if (nbf !== undefined && nbf > now + toleranceSeconds) throw new PayloadNotYetValidError('nbf', nbf - now)
  if (iat !== undefined && iat > now + toleranceSeconds) throw new PayloadNotYetValidError('iat', iat - now)
  return { issuedAt: toDate(iat), notBefore: toDate(nbf), expiresAt: toDate(exp), endsAt: toDate(end) }
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

/** Reads a claim as seconds since 1970, at most to the year 9999. A fraction is allowed. */
function readSeconds(claims: JsonObject, claim: string): number | undefined {
  const value = claims[claim]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || value < 0 || value > 253402300799)
    throw new PayloadTimesError(`The claim ${claim} must be a number: seconds since 1970-01-01 UTC.`)
  return value
}

function toDate(seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000)
}

/** Checks `aud`, a text or a list of texts. One of them must be the address of this receiver. */
export function checkAudience({ aud }: JsonObject, expected: readonly string[], policy: PayloadPolicy): void {
  if (aud === undefined && policy === 'lenient') return
  const given: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (given.some(value => typeof value === 'string' && expected.includes(value))) return
  throw new PayloadAudienceError(
    `The claim aud must be the address of this receiver, ${expected[0] ?? ''}, exactly.`,
  )
}

/** Checks the partner link's claims ([specification 2.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)) and `jti`. Unknown claims are kept in `extra`. */
export function checkClaims(
  claims: JsonObject,
  policy: PayloadPolicy,
): { readonly payload: PayloadClaims; readonly tokenId: string | undefined } {
  const { iss: _iss, aud: _aud, exp: _exp, nbf: _nbf, iat: _iat, jti, ...sent } = claims
  const problem = jti === undefined ? policy === 'strict' && 'is missing' : findTokenIdProblem(jti)
  const { payload, issues: found } = readPayload(sent)
  const issues = [...(problem ? [{ path: 'jti', problem }] : []), ...found]
  if (issues.length > 0) throw new PayloadShapeError(issues)
  return { payload, tokenId: typeof jti === 'string' ? jti : undefined }
}

/** Longest `jti`, in characters (Unicode code points). */
const maxTokenIdLength = 256

/** Tells why a value cannot be a `jti`; `undefined` when it can. */
export function findTokenIdProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return `must be text of 1 to ${maxTokenIdLength} characters`
  return findTextProblem(value, maxTokenIdLength)
}
