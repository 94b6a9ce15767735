import type { VerificationKey } from '../keys/verification-key.ts'
import { quoteText } from './quote-text.ts'

const nouns = {
  x509: 'certificate',
  spki: 'public key',
  jwk: 'JSON Web Key',
  jwks: 'key set',
  secret: 'shared secret',
} as const

/** Names a registered key by what its owner can compare: kid, thumbprint and end of its validity. */
export function nameKey({ kind, keyId, certificate }: VerificationKey): string {
  const facts = [
    ...(keyId === undefined ? [] : [`kid ${quoteText(keyId)}`]),
    ...(certificate
      ? [
          `SHA-256 thumbprint ${certificate.thumbprint}`,
          `valid until ${certificate.notAfter.toISOString().slice(0, 10)}`,
        ]
      : []),
  ]
  return `the registered ${nouns[kind]}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}
