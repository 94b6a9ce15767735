import { compactVerify, errors } from 'jose'
import { PayloadKeyError, PayloadSignatureError } from '../errors/payload-errors.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import type { ChosenKeys } from './choose-keys.ts'
import type { UnverifiedToken } from './read-token.ts'

/**
 * Verifies the signature with the first key that fits.
 *
 * @returns the key that it was made with
 * @throws {PayloadSignatureError} when none fits
 * @throws {PayloadKeyError | UnavailableError} when a key set has no fitting key, or cannot be fetched
 */
export async function checkSignature(
  token: UnverifiedToken,
  { algorithm, keys }: ChosenKeys,
): Promise<VerificationKey> {
  const header = { ...token.header, alg: algorithm }
  for (const key of keys) {
    const material = await key.materialFor(algorithm, header)
    for (const one of Array.isArray(material) ? material : [material])
      if (await isSignedWith(token.text, one)) return key
  }
  throw new PayloadSignatureError()
}

async function isSignedWith(text: string, material: CryptoKey): Promise<boolean> {
  try {
    await compactVerify(text, material)
    return true
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return false
    // The library's own error may quote the token.
    throw new PayloadKeyError('The registered key cannot be used with the header’s alg.')
  }
}
