import type { ReceiverFacts } from '@service-link/protocol-core/person'
import type { Certificate } from '../errors/key-errors.ts'
import type { Refusal, RefusalCode } from '../errors/refusals.ts'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import type { VerificationKey, VerificationKeySource } from '../keys/verification-key.ts'
import type { JsonObject, UnverifiedToken } from '../verify/read-token.ts'
import type { VerificationTerms } from '../verify/verify-payload.ts'

/** Name of a check of `verifyPayload`. */
export type PayloadCheckName =
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'json'
  | 'issuer'
  | 'times'
  | 'audience'
  | 'claims'

/**
 * Checks of the service around those of the token. `partner` and `active`: whether the partner is found and active, as
 * far as its registration is known. Only the service knows `rate`, and `replay` but for a repeatable token.
 */
export type ServiceCheckName = 'partner' | 'active' | 'rate' | 'replay'

/** The result of one check. Meant for people who write a sender; programs may rely on `code`. */
export interface ExplainedCheck {
  /** `token`: whether the text is a signed JWT at all. */
  readonly check: 'token' | PayloadCheckName | ServiceCheckName
  readonly outcome: 'passed' | 'failed' | 'not-checked'
  /** False before a signature fits: anyone may have written the token. */
  readonly isTrusted: boolean
  /** Code of the service's refusal, where the check failed. */
  readonly code?: RefusalCode | undefined
  /** Names claims, times, keys and addresses; never the value of a claim about a person. */
  readonly says: string
  /** What to change. A passed check has it if a later check is going to fail, or a claim is probably misspelled. */
  readonly change?: string | undefined
}

export type Words = Pick<ExplainedCheck, 'says' | 'change'>

/** The results of all checks, from which their sentences are made. */
export interface Findings {
  readonly token: UnverifiedToken
  readonly terms: VerificationTerms & { readonly receiver: ReceiverFacts | undefined }
  readonly sources: readonly VerificationKeySource[]
  readonly algorithm: PayloadAlgorithm | undefined
  readonly chosenKeys: readonly VerificationKey[] | undefined
  /** The key of the signature. */
  readonly key: VerificationKey | undefined
  readonly claims: JsonObject | undefined
}

/** Describes a check that passed, or that ended with a refusal. */
export type Describe = (found: Findings, refusal: Refusal | undefined) => Words | Promise<Words>

/** Longest text that is shown, in characters. */
const maxShown = 100

/** Shows text of an untrusted token: cut, quoted, and escaped to plain ASCII, so that it cannot drive a terminal. */
export function quoteText(text: string): string {
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
  const escaped = shown.replace(
    /[^\x20-\x7e…]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `"${escaped}"`
}

/** {@link quoteText} of any JSON value; objects and lists are only named. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return quoteText(value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

const nouns = {
  x509: 'certificate',
  spki: 'public key',
  jwk: 'JSON Web Key',
  jwks: 'key set',
  secret: 'shared secret',
} as const

/** Names a registered key by facts that its owner can compare: kid, thumbprint and end of its validity. */
export function nameKey({ kind, keyId, certificate }: VerificationKey): string {
  const facts = keyId === undefined ? [] : [`kid ${quoteText(keyId)}`]
  if (certificate) facts.push(thumbprintAndEnd(certificate))
  return `the registered ${nouns[kind]}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}

/** Names a certificate by its thumbprint and the end of its validity. */
export function thumbprintAndEnd({ thumbprint, notAfter }: Certificate): string {
  return `SHA-256 thumbprint ${thumbprint}, valid until ${notAfter.toISOString().slice(0, 10)}`
}
