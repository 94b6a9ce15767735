import type { Refusal } from '../errors/refusal.ts'
import type { VerificationKeySource } from '../keys/key-source.ts'
import type { Verification } from '../verify/payload-checks.ts'
import type { Words } from './explained-check.ts'
import { findSignatureMistake } from './find-signature-mistake.ts'
import { nameKey } from './name-key.ts'

/** What is said of the signature. */
export async function describeSignature(
  verification: Verification,
  refusal: Refusal | undefined,
  sources: readonly VerificationKeySource[],
): Promise<Words> {
  const { key, token, chosen } = verification
  const keys = chosen?.keys ?? []
  if (!refusal) {
    const fitting = keys.length > 1 && key ? nameKey(key) : 'that key'
    return { says: `The signature fits ${fitting}, and nothing was changed since.` }
  }
  if (refusal.code !== 'ERR_PAYLOAD_SIGNATURE')
    return {
      says: refusal.message,
      change: 'Look at your key set: it must be reachable and hold the key that kid names.',
    }
  const says =
    token.signature.length === 0
      ? 'The token has no signature: nothing follows its second dot.'
      : `The signature does not fit ${keys.length > 1 ? 'any of those keys' : 'that key'}.`
  const mistake = await findSignatureMistake(verification, sources)
  return {
    says,
    change:
      mistake ??
      'Sign with the private key (or secret) that belongs to the registered one, and change nothing in the token afterwards. If you have changed keys, register the new one first.',
  }
}
