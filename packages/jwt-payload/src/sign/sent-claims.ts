import { type ArgsIssue, assertParameter, isObject, ParameterError } from '@service-link/protocol-core/errors'
import {
  claimNamesOf,
  type EndClaims,
  type ExtraClaims,
  endSchema,
  findIdProblem,
  isEnd,
  type PayloadClaims,
  readBy,
  writtenPayloadSchema,
} from '@service-link/protocol-core/person'
import { claimSynonyms } from '../claims/near-claims.ts'
import { PayloadShapeError } from '../errors/refusals.ts'
import { findTokenIdProblem } from '../verify/check-claims.ts'
import { assertClaimDepth, type JsonObject } from '../verify/read-token.ts'

/** Refuses members of a payload that would not be sent. */
export function assertPayload(payload: PayloadClaims | EndClaims): void {
  assertClosed('payload', payload, 'payload')
  if (payload.contact !== undefined) assertClosed('payload.contact', payload.contact, 'contact')
}

function assertClosed(
  name: string,
  claims: { extra?: ExtraClaims | undefined },
  owner: 'payload' | 'contact',
): void {
  const names = claimNamesOf(owner)
  const members = Object.fromEntries(names.map(claim => [claim, 'any' as const]))
  assertParameter(name, claims, 'closed', { ...members, extra: 'object?' }, claimSynonyms[owner])
  const inherited = names.find(claim => claim in claims && !Object.hasOwn(claims, claim))
  if (inherited !== undefined)
    throw new ParameterError(
      `${name}.${inherited}`,
      'a plain object',
      'is of the class, and would not be sent. Give a plain object.',
    )
  const known = names.find(claim => Object.hasOwn(claims.extra ?? {}, claim))
  if (known !== undefined)
    throw new ParameterError(
      `${name}.extra.${known}`,
      `${name}.${known}`,
      `must be given as ${name}.${known}.`,
    )
}

/** Claims of the token, not of the payload (RFC 7519, 4.1). */
const tokenClaims = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

/**
 * Checks claims as the receiver does. Also refuses what JSON does not carry, and names that a program made by mistake: the receiver
 * sees neither.
 */
export function assertClaims(claims: JsonObject, tokenId: string, issuer: string | undefined): void {
  assertClaimDepth(claims)
  const issues: ArgsIssue[] = Object.keys(claims)
    .filter(name => tokenClaims.includes(name))
    .map(path => ({ path, problem: 'is a claim of the JWT itself; use the options of signPayload' }))
  const tokenIdProblem = findTokenIdProblem(tokenId)
  if (tokenIdProblem !== undefined) issues.push({ path: 'jti', problem: tokenIdProblem })
  issues.push(
    ...((isEnd(claims) ? readBy(endSchema, claims) : readBy(writtenPayloadSchema, claims)).issues ?? []),
  )
  const { organizationId, employeeId, contact } = claims
  const names = { organizationId, employeeId, 'contact.id': Object(contact).id, iss: issuer }
  for (const [path, name] of Object.entries(names)) {
    const problem = typeof name === 'string' && name !== '' ? findIdProblem(name) : undefined
    if (problem !== undefined) issues.push({ path, problem })
  }
  if (issues.length === 0) issues.push(...findUnwritten('', claims))
  if (issues.length > 0) throw new PayloadShapeError(issues)
}

/** Finds values that JSON leaves out, or writes as something else. */
function findUnwritten(path: string, value: unknown): readonly ArgsIssue[] {
  const problem = problemOf(value)
  if (problem) return [{ path, problem: `is ${problem}, which JSON does not carry` }]
  if (Array.isArray(value)) return Array.from(value, (one, index) => findAt(path, `${index}`, one)).flat()
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : findAt(path, name, member),
  )
}

/** The name of a member may be anything. */
function findAt(path: string, name: string, value: unknown): readonly ArgsIssue[] {
  const place = /^[\w-]{1,40}$/.test(name) ? name : '…'
  return findUnwritten(path === '' ? place : `${path}.${place}`, value)
}

function problemOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'no finite number'
  if (!['string', 'boolean', 'object'].includes(typeof value)) return `of the type ${typeof value}`
  // A `Date` becomes text.
  if (!isObject(value)) return undefined
  if (typeof value.toJSON === 'function') return value.toJSON() === null ? 'an invalid Date' : undefined
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return tag === 'Object' ? undefined : `of the class ${tag}`
}
