import type { KeyObject } from 'node:crypto'
import type { RefusalCode } from '@service-link/jwt-payload'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import * as base64url from 'jose/base64url'
import { CompactSign } from 'jose/jws/compact/sign'
import { refusedPartners, testKeyId } from './test-partners.ts'

type Claims = Readonly<Record<string, unknown>>

/** What a token has that is refused. */
interface Fault {
  readonly kid?: string
  readonly claims?: (claims: Claims, now: number) => Claims
  /** Changes the signed token. */
  readonly spoil?: (token: string) => string
}

/** Longer than a receiver's form may be. */
const tooLong = 'x'.repeat(64 * 1024)

const ofPartner = ({ kid, issuer: iss }: (typeof refusedPartners)[keyof typeof refusedPartners]): Fault => ({
  kid,
  claims: () => ({ iss }),
})

const faults = {
  ERR_PAYLOAD_TOO_LARGE: { claims: () => ({ note: tooLong }) },
  ERR_PAYLOAD_MALFORMED: { spoil: token => token.slice(0, token.lastIndexOf('.')) },
  ERR_PAYLOAD_ALGORITHM: {
    spoil: token => token.replace(/^[^.]+(\..+\.).*$/, `${encode({ alg: 'none' })}$1`),
  },
  ERR_PAYLOAD_KEY: { kid: 'nobody', claims: () => ({ iss: 'https://nobody.example' }) },
  ERR_PAYLOAD_SIGNATURE: {
    spoil: token =>
      token.replace(/\.(.)([^.]*)$/, (_all, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`),
  },
  ERR_PARTNER_INACTIVE: ofPartner(refusedPartners.inactive),
  // Text: a lenient partner need not send them.
  ERR_PAYLOAD_TIMES: { claims: () => ({ exp: 'soon' }) },
  ERR_PAYLOAD_EXPIRED: { claims: (_claims, now) => ({ iat: now - 400, exp: now - 340 }) },
  ERR_PAYLOAD_NOT_YET_VALID: { claims: (_claims, now) => ({ iat: now + 600, exp: now + 660 }) },
  ERR_PAYLOAD_AUDIENCE: { claims: () => ({ aud: 'https://other.example/partner/payload' }) },
  ERR_PAYLOAD_SHAPE: { claims: ({ contact }) => ({ contact: { ...Object(contact), id: undefined } }) },
  ERR_END_NOT_ALLOWED: {
    kid: refusedPartners.limited.kid,
    claims: () => ({ iss: refusedPartners.limited.issuer, contact: undefined, end: 'context' }),
  },
  ERR_RATE_LIMITED: ofPartner(refusedPartners.limited),
  // The caller uses it.
  ERR_PAYLOAD_REPLAYED: {},
  ERR_UNAVAILABLE: ofPartner(refusedPartners.unreachable),
} satisfies Partial<Record<RefusalCode, Fault>>

/** A refusal that a token causes by itself. */
export type TokenRefusalCode = keyof typeof faults

/** Kinds of tokens that a test service makes: one that is taken, and one for each of these refusals. */
export const testTokenKinds = ['valid', ...(Object.keys(faults) as TokenRefusalCode[])] as const

/** A kind of token that a test service makes. */
export type TestTokenKind = (typeof testTokenKinds)[number]

/**
 * Signs a token of a kind (ES256), whose times begin now.
 *
 * @param given overwrite claims, those of the token itself too; `null` leaves one out
 */
export async function signTestToken(
  kind: TestTokenKind,
  given: Claims,
  terms: {
    readonly issuer: string
    readonly audience: string
    readonly privateKey: KeyObject
    readonly now: Date
  },
): Promise<string> {
  assertParameter('claims', given, 'object')
  assertParameter('kind', kind, testTokenKinds)
  const { issuer: iss, audience: aud, privateKey } = terms
  const now = Math.floor(terms.now.getTime() / 1000)
  const usual: Claims = {
    organizationId: 'org-1',
    employeeId: 'emp-7',
    contact: { id: '4711', firstname: 'Kari', lastname: 'Nordmann' },
    ...{ iss, aud, iat: now, exp: now + 60, jti: crypto.randomUUID() },
    ...given,
  }
  const fault: Fault = kind === 'valid' ? {} : faults[kind]
  const { kid = testKeyId, spoil = same } = fault
  const sent = Object.entries({ ...usual, ...fault.claims?.(usual, now) }).filter(
    ([, value]) => value !== null,
  )
  const signing = new CompactSign(new TextEncoder().encode(writeJson(Object.fromEntries(sent))))
  return spoil(await signing.setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey))
}

function writeJson(claims: Claims): string {
  try {
    return JSON.stringify(claims)
  } catch {
    throw new ParameterError('claims', 'what JSON can hold, not too deeply nested')
  }
}

const same = (token: string) => token

const encode = (value: unknown) => base64url.encode(JSON.stringify(value))
