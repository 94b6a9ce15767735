import { PayloadKeyError, PayloadSignatureError, UnavailableError } from '../errors/payload-errors.ts'
import { Refusal } from '../errors/refusal.ts'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import type { ChosenKeys } from './choose-keys.ts'
import type { UnverifiedToken } from './read-token.ts'
import { signatureParameters } from './signature-parameters.ts'

const ascii = new TextEncoder()

/**
 * Verifies the signature with the first key that fits: those at hand first, then key sets, which may have to be fetched.
 * Each is tried once; one that cannot be used does not keep the others from being tried. jose imported the keys; its own
 * verification of a token is not used, because it reads header and claims once more, which costs a third of an RSA
 * verification.
 *
 * @param signal gives up the wait for a key set; its reason is thrown
 * @returns the key that it was made with
 * @throws {UnavailableError} when none fits and a key set could not be fetched
 * @throws {PayloadKeyError} when none fits and one could not be used, such as a key set without a fitting key
 * @throws {PayloadSignatureError} when all could be used and none fits
 */
export async function checkSignature(
  token: UnverifiedToken,
  { algorithm, keys }: ChosenKeys,
  signal?: AbortSignal,
): Promise<VerificationKey> {
  const input = ascii.encode(token.signingInput)
  let refusal: Refusal | undefined
  for (const key of [...keys.filter(isAtHand), ...keys.filter(key => !isAtHand(key))]) {
    try {
      if (await isSignedWith(key, algorithm, token, input, signal)) return key
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // The one that is worth a retry wins: the set that could not be fetched may hold the key.
      if (!refusal || error instanceof UnavailableError) refusal = error
    }
  }
  throw refusal ?? new PayloadSignatureError()
}

function isAtHand({ kind }: VerificationKey): boolean {
  return kind !== 'jwks'
}

async function isSignedWith(
  key: VerificationKey,
  algorithm: PayloadAlgorithm,
  { header, signature }: UnverifiedToken,
  input: Uint8Array<ArrayBuffer>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const material = key.materialFor(algorithm, header, signal)
  for (const one of listOf(material instanceof Promise ? await material : material)) {
    try {
      if (!hasFittingLength(signature, one)) continue
      if (await crypto.subtle.verify(signatureParameters[algorithm], one, signature, input)) return true
    } catch {
      throw new PayloadKeyError('The registered key cannot be used with the header’s alg.')
    }
  }
  return false
}

/**
 * An RSA signature is as long as its modulus (RFC 8017, 8.1.2, step 1). Runtimes leave that to the caller for PSS: they take
 * one whose first byte, 0, was cut off, so that one signature could be written in two ways.
 */
function hasFittingLength(signature: Uint8Array, { algorithm }: CryptoKey): boolean {
  return (
    !('modulusLength' in algorithm) || signature.length === Math.ceil(Number(algorithm.modulusLength) / 8)
  )
}

function listOf(material: CryptoKey | readonly CryptoKey[]): readonly CryptoKey[] {
  return 'type' in material ? [material] : material
}
