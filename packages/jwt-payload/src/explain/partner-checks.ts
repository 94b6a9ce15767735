import { PayloadMalformedError } from '../errors/payload-errors.ts'
import type { Verification } from '../verify/payload-checks.ts'
import type { UnverifiedToken } from '../verify/read-token.ts'
import { changeOfJson } from './describe-claims.ts'
import type { ExplainedCheck } from './explained-check.ts'
import { findPartner, type KnownRegistration, type PartnerFound } from './find-partner.ts'
import { hintOfPartner } from './hint-of-partner.ts'
import { quoteValue } from './quote-text.ts'

/** Whether the service can find the partner, which it does before it looks at any key. */
export function explainPartner({ token }: Verification, registration: KnownRegistration): ExplainedCheck {
  const base = { check: 'partner', isTrusted: false } as const
  let by: PartnerFound
  try {
    by = findPartner(token, registration)
  } catch (error) {
    if (!(error instanceof PayloadMalformedError)) throw error
    return { ...base, outcome: 'failed', code: error.code, says: error.message, change: changeOfJson }
  }
  const { header } = token
  const says = sentenceOf(by, token)
  const change = hintOfPartner(header, registration)
  if (by === 'nothing') return { ...base, outcome: 'failed', code: 'ERR_PAYLOAD_KEY', says, change }
  if (by === 'unknown') return { ...base, outcome: 'not-checked', says, change }
  // Found by iss, the service chooses the key without a kid; a wrong one is still a mistake.
  const isMistaken = by === 'iss' && header.kid !== undefined && !isOfKeySet(registration)
  return { ...base, outcome: 'passed', says, ...(isMistaken ? { change } : {}) }
}

/**
 * Whether the partner is active, which the service looks at as soon as the signature fits and the claims can be read.
 *
 * @param isActive as registered; `undefined` where that is not known
 */
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

function isOfKeySet({ keys }: KnownRegistration): boolean {
  return keys.some(({ kind }) => kind === 'jwks')
}
