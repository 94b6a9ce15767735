import { PayloadMalformedError } from '../errors/refusals.ts'
import { isHexThumbprintOf, isKeySet, namesOfKey } from '../keys/verification-key.ts'
import { type JsonObject, namesIn, type UnverifiedToken } from '../verify/read-token.ts'
import type { VerificationTerms } from '../verify/verify-payload.ts'
import { changeOfJson } from './describe-claims.ts'
import { type ExplainedCheck, quoteText, quoteValue } from './explained-check.ts'

interface KnownRegistration extends Pick<VerificationTerms, 'keys' | 'policy' | 'issuer'> {
  /** Whether nothing else is registered: without `issuer` there is then none. */
  readonly isWhole: boolean
}

/** How the service finds the partner. `unknown`: by `iss`, if that is registered. `nothing`: it refuses. */
type PartnerFound = 'kid' | 'x5t' | 'iss' | 'unknown' | 'nothing'

/**
 * Finds the partner as a service with several partners does: by a key that `kid` (or a certificate’s digest) names, else by `iss`.
 * Keys of a published set name no partner: the service reads the set of a known partner only.
 */
export function findPartner(token: UnverifiedToken, known: KnownRegistration): PartnerFound {
  const sent = namesIn(token)
  const names = known.keys.flatMap(namesOfKey)
  if (names.some(name => name === sent.keyId)) return 'kid'
  if (names.some(name => name === sent.certificateDigest)) return 'x5t'
  if (known.policy === 'lenient' && known.keys.some(key => isHexThumbprintOf(key, sent.keyId))) return 'kid'
  const { issuer } = sent
  if (!issuer) return 'nothing'
  if (known.issuer === undefined) return known.isWhole ? 'nothing' : 'unknown'
  return issuer === known.issuer ? 'iss' : 'nothing'
}

/** Whether the service can find the partner, its first step. */
export function explainPartner(token: UnverifiedToken, registration: KnownRegistration): ExplainedCheck {
  const base = { check: 'partner', isTrusted: false } as const
  let by: PartnerFound
  try {
    by = findPartner(token, registration)
  } catch (error) {
    if (!(error instanceof PayloadMalformedError)) throw error
    return { ...base, outcome: 'failed', code: error.code, says: error.message, change: changeOfJson }
  }
  const says = sentenceOf(by, token)
  const change = hintOfPartner(token.header, registration)
  if (by === 'nothing') return { ...base, outcome: 'failed', code: 'ERR_PAYLOAD_KEY', says, change }
  if (by === 'unknown') return { ...base, outcome: 'not-checked', says, change }
  // If iss finds the partner, no kid is needed. A wrong kid is still a mistake.
  const isMistaken = by === 'iss' && token.header.kid !== undefined && !registration.keys.some(isKeySet)
  return { ...base, outcome: 'passed', says, ...(isMistaken ? { change } : {}) }
}

/** Whether the partner is active. The service looks once the signature fits and the claims can be read. */
export function explainActive(isTrusted: boolean, isActive: boolean | undefined): ExplainedCheck {
  const base = { check: 'active', isTrusted } as const
  if (isActive === undefined)
    return {
      ...base,
      outcome: 'not-checked',
      says: 'Only the service knows whether the partner is active (ERR_PARTNER_INACTIVE).',
    }
  if (isActive) return { ...base, outcome: 'passed', says: 'The registration is active.' }
  return {
    ...base,
    outcome: 'failed',
    code: 'ERR_PARTNER_INACTIVE',
    says: 'The registration is not active.',
    change: 'Ask the service to activate it.',
  }
}

function sentenceOf(by: PartnerFound, { header, claims }: UnverifiedToken): string {
  const kid = header.kid === undefined ? 'no kid' : `kid ${quoteValue(header.kid)}`
  if (by === 'x5t') return 'The service finds you by the digest of your certificate.'
  if (by === 'kid') return `The service finds you by ${kid}.`
  const { iss: sent } = claims()
  const iss = sent === undefined ? 'no iss' : `iss ${quoteValue(sent)}`
  switch (by) {
    case 'iss':
      return `The service finds you by ${iss}.`
    case 'unknown':
      return `The token has ${kid}, which names no key that was given here. The service finds you if ${iss} is registered with it, which only it knows (ERR_PAYLOAD_KEY).`
    case 'nothing':
      return `The service cannot find you: the token has ${kid} and ${iss}, and neither is registered.`
  }
}

const maxShown = 5

/** Tells how to change a header that names none of the registered keys. */
function hintOfPartner({ kid }: JsonObject, { keys, issuer }: KnownRegistration): string {
  const byIssuer = issuer === undefined ? 'a registered iss' : `the registered iss, ${quoteText(issuer)}`
  if (kid !== undefined && typeof kid !== 'string') return 'The header’s kid must be text.'
  const meant = kid === undefined ? undefined : keys.flatMap(namesOfKey).find(name => isSameName(name, kid))
  if (kid !== undefined && meant !== undefined)
    return `The header’s kid is ${quoteText(kid)}: a registered name in another spelling, and the service compares exactly. Write ${quoteText(meant)}.`
  if (keys.some(isKeySet))
    return `The kid of a key in a key set names no partner: sign with ${byIssuer}, beside the kid.`
  const registered = keys.flatMap(({ keyId }) => (keyId === undefined ? [] : [quoteText(keyId)]))
  const names = registered.slice(0, maxShown).join(', ')
  if (registered.length === 0)
    return `The key was given here without a kid, as a shared secret has none of its own. Sign with the kid that it is registered with, and give that here, too; or with ${byIssuer}.`
  return kid === undefined
    ? `The header has no kid. Send the registered kid, ${names}, or ${byIssuer}.`
    : `The header’s kid is ${quoteText(kid)}, and registered is ${names}. Send the registered kid, or ${byIssuer}.`
}

/** Longest name that is compared, in characters: keys have shorter ones. */
const maxCompared = 200

/**
 * Whether two names of a key differ in spelling alone: hexadecimal in any case, with or without colons, and either alphabet of
 * base64. The work is bounded.
 */
function isSameName(one: string, other: string): boolean {
  return fold(one.slice(0, maxCompared)) === fold(other.slice(0, maxCompared))
}

function fold(name: string): string {
  const hex = name.replace(/[:\s\u200e-]/g, '').toUpperCase()
  if (/^([\dA-F]{40}|[\dA-F]{64})$/.test(hex)) return hex
  return name.trim().replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '').toLowerCase()
}
