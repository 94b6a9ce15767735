import { type ArgsIssue, issuesOf, type Payload, payloadSchema } from '@service-link/protocol-core'
import { z } from 'zod'
import { PayloadShapeError } from '../errors/payload-errors.ts'
import type { PayloadPolicy } from './policy.ts'
import { findTokenIdProblem } from './token-id.ts'

/** Claims that belong to the token, not to the payload. */
const tokenClaims = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'] as const

/** Compiled when it is first needed: several times faster than the schema as it is, and the same otherwise. */
let compiledSchema: typeof payloadSchema | undefined

/** What {@link checkClaims} found. */
export interface CheckedClaims {
  readonly payload: Payload
  readonly tokenId: string | undefined
}

/**
 * Checks the partner link's claims (specification 2.1). Unknown claims are kept.
 *
 * @throws {PayloadShapeError} naming each path that is missing or not acceptable, `jti` among them where it is required
 */
export function checkClaims(claims: Readonly<Record<string, unknown>>, policy: PayloadPolicy): CheckedClaims {
  const issues: ArgsIssue[] = []
  const { jti } = claims
  const tokenId = typeof jti === 'string' ? jti : undefined
  const jtiProblem = jti === undefined ? undefined : findTokenIdProblem(jti)
  if (jti === undefined && policy === 'strict') issues.push({ path: 'jti', problem: 'is missing' })
  if (jtiProblem !== undefined) issues.push({ path: 'jti', problem: jtiProblem })
  const { iss: _iss, aud: _aud, exp: _exp, nbf: _nbf, iat: _iat, jti: _jti, ...sent } = claims
  compiledSchema ??= z.compile(payloadSchema)
  const parsed = compiledSchema.safeParse(sent)
  if (!parsed.success) issues.push(...issuesOf(parsed.error))
  if (issues.length > 0 || !parsed.success) throw new PayloadShapeError(issues)
  return { payload: parsed.data, tokenId }
}

/** Names of the claims that `signPayload` sets by itself. */
export function isTokenClaim(name: string): boolean {
  return tokenClaims.some(claim => claim === name)
}
