import type { Refusal } from '../errors/refusal.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import { isNamedBy } from '../verify/choose-keys.ts'
import type { Verification } from '../verify/payload-checks.ts'
import type { Words } from './explained-check.ts'
import { nameKey } from './name-key.ts'
import { quoteValue } from './quote-text.ts'

/** What is said of the choice among the partner's keys. */
export function describeKey(verification: Verification, refusal: Refusal | undefined): Words {
  const { token, keys, chosen } = verification
  if (!refusal) {
    const names = (chosen?.keys ?? []).map(nameKey).join('; ')
    return { says: `alg ${quoteValue(token.header.alg)} may be used with ${names}.` }
  }
  if (refusal.code === 'ERR_PAYLOAD_ALGORITHM') return describeMismatch(verification)
  if (keys.length === 0)
    return { says: refusal.message, change: 'Send the service your certificate or public key.' }
  return {
    says: refusal.message,
    change: 'Make a new certificate and register it; the old one may stay registered until then.',
  }
}

function describeMismatch({ token, keys }: Verification): Words {
  const { header } = token
  const named = keys.filter(key => isNamedBy(key, header))
  const candidates = named.length > 0 ? named : keys
  const says = `alg ${quoteValue(header.alg)} cannot be used with ${candidates.map(nameWithAlgorithms).join('; ')}.`
  const other = keys.find(key => key.algorithms.some(algorithm => algorithm === header.alg))
  if (named.length > 0 && other)
    return {
      says,
      change: `Send the kid of ${nameKey(other)} instead, or sign with the key that kid names.`,
    }
  if (String(header.alg).startsWith('HS') && candidates.every(({ kind }) => kind !== 'secret'))
    return {
      says,
      change:
        'A public key is no shared secret: sign with the private key that belongs to it, and its algorithm. Where the secret given to the library is the text of a PEM file, its algorithm was left at HS256.',
    }
  return { says, change: `Sign with ${candidates.flatMap(key => key.algorithms).join(', ')}.` }
}

function nameWithAlgorithms(key: VerificationKey): string {
  return `${nameKey(key)}, which takes ${key.algorithms.join(', ')}`
}
