import {
  type EndClaims,
  endSchema,
  findTextProblem,
  isEnd,
  lenientEndSchema,
  lenientPayloadSchema,
  type PayloadClaims,
  payloadSchema,
  readBy,
} from '@service-link/protocol-core/person'
import {
  PayloadAudienceError,
  PayloadExpiredError,
  PayloadKeyError,
  PayloadNotYetValidError,
  PayloadShapeError,
  PayloadTimesError,
} from '../errors/refusals.ts'
import { type JsonObject, textOf } from './read-token.ts'

export const payloadPolicies = ['strict', 'lenient'] as const

/**
 * The claims that a partner's tokens need. `strict`: `exp` and `iat` at most 5 minutes apart, `aud`, and a `jti` that is used
 * once. `lenient`: each of these may be absent and is checked if present. The token's digest then makes it usable once.
 * `lenient` also reads times as decimal text, whole numbers as ids, and a `birthdate` with a time.
 */
export type PayloadPolicy = (typeof payloadPolicies)[number]

/** @param isNeeded whether a token without `iss` is refused; a service takes one whose `kid` it knows */
export function checkIssuer({ iss }: JsonObject, expected: string | undefined, isNeeded: boolean): void {
  if (expected === undefined || iss === expected) return
  if (iss !== undefined)
    throw new PayloadKeyError('The claim iss is not the issuer that this key is registered for.')
  if (isNeeded) throw new PayloadKeyError('The claim iss is missing. Sign with the issuer that is expected.')
}

/** Longest time from `iat` to `exp` under the policy `strict`, in seconds. */
export const maxSpanSeconds = 300

/** Life of a token without `exp`, in seconds: a day. The store of used tokens can then forget it. */
const lifeWithoutExpSeconds = 86_400

/** Difference of clocks that is tolerated, in seconds. */
export const toleranceSeconds = 60

/** The limits of the times, in seconds. A receiver tells its own in discovery. */
export interface TimeLimits {
  readonly spanSeconds: number
  readonly toleranceSeconds: number
}

const usualLimits: TimeLimits = { spanSeconds: maxSpanSeconds, toleranceSeconds }

/** Time claims of a token. */
export interface PayloadTimes {
  readonly issuedAt: Date | undefined
  readonly notBefore: Date | undefined
  readonly expiresAt: Date | undefined
  /** When the token is refused for its age: `expiresAt`, or a day after `issuedAt`; `undefined` without both. */
  readonly endsAt: Date | undefined
}

export function checkTimes(
  claims: JsonObject,
  options: { readonly policy: PayloadPolicy; readonly now: Date; readonly limits?: TimeLimits | undefined },
): PayloadTimes {
  const { spanSeconds, toleranceSeconds } = options.limits ?? usualLimits
  const iat = readSeconds(claims, 'iat', options.policy)
  const nbf = readSeconds(claims, 'nbf', options.policy)
  const exp = readSeconds(claims, 'exp', options.policy)
  if (options.policy === 'strict') assertSpan(iat, exp, spanSeconds)
  const now = options.now.getTime() / 1000
  const end = exp ?? (iat === undefined ? undefined : iat + lifeWithoutExpSeconds)
  if (end !== undefined && now >= end + toleranceSeconds) throw new PayloadExpiredError(now - end)
  if (nbf !== undefined && nbf > now + toleranceSeconds) throw new PayloadNotYetValidError('nbf', nbf - now)
  if (iat !== undefined && iat > now + toleranceSeconds) throw new PayloadNotYetValidError('iat', iat - now)
  return { issuedAt: toDate(iat), notBefore: toDate(nbf), expiresAt: toDate(exp), endsAt: toDate(end) }
}

function assertSpan(iat: number | undefined, exp: number | undefined, spanSeconds: number): void {
  if (iat === undefined || exp === undefined)
    throw new PayloadTimesError(
      `The claims iat and exp are required; ${iat === undefined ? 'iat' : 'exp'} is missing.`,
    )
  if (exp <= iat) throw new PayloadTimesError('The claim exp must be later than iat.')
  if (exp - iat > spanSeconds)
    throw new PayloadTimesError(`The claim exp must be at most ${spanSeconds} s later than iat.`)
}

/** The last second of the year 9999. */
export const maxSeconds = 253_402_300_799

/** Reads a claim as seconds since 1970, at most to the year 9999. A fraction is allowed. */
function readSeconds(claims: JsonObject, claim: string, policy: PayloadPolicy): number | undefined {
  const value = timeOf(claims[claim], policy)
  if (value === undefined) return undefined
  if (typeof value !== 'number' || value < 0 || value > maxSeconds)
    throw new PayloadTimesError(`The claim ${claim} must be a number: seconds since 1970-01-01 UTC.`)
  return value
}

/** The number that a time claim stands for: under `lenient` also that of a decimal text. Other values stay as they are. */
export function timeOf(value: unknown, policy: PayloadPolicy): unknown {
  const isText = policy === 'lenient' && typeof value === 'string' && /^\d{1,12}(?:\.\d{1,9})?$/.test(value)
  return isText ? Number(value) : value
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

const schemas = { strict: payloadSchema, lenient: lenientPayloadSchema }
const endSchemas = { strict: endSchema, lenient: lenientEndSchema }

/** Checks the partner link's claims (spec 2.1), or those of an end, and `jti`. Unknown claims are kept in `extra`. */
export function checkClaims(
  claims: JsonObject,
  policy: PayloadPolicy,
): { readonly payload: PayloadClaims | EndClaims; readonly tokenId: string | undefined } {
  // The token's own claims. Others that the partner link does not name, such as `sub`, are kept.
  const { iss, aud, exp, nbf, iat, jti, ...sent } = claims
  const problem = jti === undefined ? policy === 'strict' && 'is missing' : findTokenIdProblem(jti)
  const { value: payload, issues = [] } = isEnd(sent)
    ? readBy(endSchemas[policy], sent)
    : readBy<typeof payloadSchema | typeof endSchema>(schemas[policy], sent)
  if (problem || !payload)
    throw new PayloadShapeError([...(problem ? [{ path: 'jti', problem }] : []), ...issues])
  return { payload, tokenId: textOf(jti) }
}

/** The ids of a sender whose claims may be refused, without those that are not acceptable. */
export function readSenderIds(claims: JsonObject, policy: PayloadPolicy) {
  const { organizationId, employeeId } = schemas[policy].def.shape
  return {
    organizationId: readBy(organizationId, claims.organizationId).value,
    employeeId: readBy(employeeId, claims.employeeId).value,
  }
}

/** Longest `jti`, in characters (Unicode code points). */
const maxTokenIdLength = 256

/** Tells why a value cannot be a `jti`; `undefined` when it can. */
export function findTokenIdProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return `must be text of 1 to ${maxTokenIdLength} characters`
  return findTextProblem(value, maxTokenIdLength)
}
