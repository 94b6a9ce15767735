import { describeValidity, isInValidity } from '../errors/key-errors.ts'
import {
  PayloadAlgorithmError,
  PayloadKeyError,
  PayloadSignatureError,
  UnavailableError,
} from '../errors/refusals.ts'
import { type PayloadAlgorithm, payloadAlgorithms } from '../keys/algorithms.ts'
import { isKeySet, namesOfKey, type VerificationKey } from '../keys/verification-key.ts'
import { isSignedWith } from './is-signed-with.ts'
import type { JsonObject, UnverifiedToken } from './read-token.ts'

export function readAlgorithm({ alg }: JsonObject): PayloadAlgorithm {
  const algorithm = payloadAlgorithms.find(name => name === alg)
  if (algorithm) return algorithm
  throw new PayloadAlgorithmError(
    `The header’s alg must be one of ${payloadAlgorithms.join(', ')}, spelled exactly so.`,
  )
}

/**
 * Chooses the partner's keys that fit a header: those that its `kid`, `x5t#S256` or `x5t` names, else those of the right
 * algorithm. The header only chooses among registered keys; its `jwk`, `jku`, `x5u` and `x5c` are not read.
 */
export function chooseKeys(
  header: JsonObject,
  algorithm: PayloadAlgorithm,
  keys: readonly VerificationKey[],
  now: Date,
): readonly VerificationKey[] {
  if (keys.length === 0) throw new PayloadKeyError('No key is registered for this partner.')
  const named = keys.filter(key => isNamedBy(key, header))
  const candidates = (named.length > 0 ? named : keys).filter(key => key.algorithms.includes(algorithm))
  const [first] = candidates
  if (!first)
    throw new PayloadAlgorithmError(
      'The registered key cannot be used with the header’s alg. Sign with the algorithm of the registered key.',
    )
  const valid = candidates.filter(({ certificate }) => !certificate || isInValidity(certificate, now))
  if (valid.length === 0 && first.certificate)
    throw new PayloadKeyError(
      `${describeValidity(first.certificate, now)} Register its successor.`,
      first.certificate,
    )
  return valid
}

/** Whether the header names this key. */
export function isNamedBy(key: VerificationKey, header: JsonObject): boolean {
  const { kid } = header
  const digest = header['x5t#S256'] ?? header.x5t
  return (
    (typeof kid === 'string' && namesOfKey(key).includes(kid)) ||
    (typeof digest === 'string' && key.certificateDigests.includes(digest))
  )
}

/**
 * Verifies the signature with the first key that fits: keys at hand first, then key sets, which may need a request. Each
 * key is tried once, even after another one failed.
 */
export async function checkSignature(
  token: UnverifiedToken,
  algorithm: PayloadAlgorithm,
  keys: readonly VerificationKey[],
  signal?: AbortSignal,
): Promise<VerificationKey> {
  let failure: unknown
  for (const key of keys.toSorted((one, other) => Number(isKeySet(one)) - Number(isKeySet(other)))) {
    try {
      const materials = key.materialFor(algorithm, token.header, signal)
      // A key at hand in Node needs no wait.
      for (const material of 'then' in materials ? await materials : materials) {
        const isSigned = isSignedWith(material, algorithm, token)
        if (isSigned === true || (await isSigned)) return key
      }
    } catch (error) {
      // A refusal that is worth a retry is preferred: the set that could not be fetched may hold the key.
      if (!failure || error instanceof UnavailableError) failure = error
    }
  }
  throw failure ?? new PayloadSignatureError()
}
