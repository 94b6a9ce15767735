import { PayloadKeyError, PayloadSignatureError } from '../errors/payload-errors.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import type { ChosenKeys } from './choose-keys.ts'
import type { UnverifiedToken } from './read-token.ts'
import { signatureParameters } from './signature-parameters.ts'

const ascii = new TextEncoder()

/**
 * Verifies the signature with the first key that fits. jose imported the keys; its own verification of a token is not used,
 * because it reads header and claims once more, which costs a third of an RSA verification.
 *
 * @returns the key that it was made with
 * @throws {PayloadSignatureError} when none fits
 * @throws {PayloadKeyError | UnavailableError} when a key set has no fitting key, or cannot be fetched
 */
export async function checkSignature(
  token: UnverifiedToken,
  { algorithm, keys }: ChosenKeys,
): Promise<VerificationKey> {
  const parameters = signatureParameters[algorithm]
  const input = ascii.encode(token.signingInput)
  for (const key of keys) {
    const material = key.materialFor(algorithm, token.header)
    for (const one of listOf(material instanceof Promise ? await material : material)) {
      let isSigned: boolean
      try {
        isSigned = await crypto.subtle.verify(parameters, one, token.signature, input)
      } catch {
        throw new PayloadKeyError('The registered key cannot be used with the header’s alg.')
      }
      if (isSigned) return key
    }
  }
  throw new PayloadSignatureError()
}

function listOf(material: CryptoKey | readonly CryptoKey[]): readonly CryptoKey[] {
  return 'type' in material ? [material] : material
}
