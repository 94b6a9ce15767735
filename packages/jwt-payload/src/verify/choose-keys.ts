import { describeValidity, isInValidity } from '../errors/key-errors.ts'
import { PayloadAlgorithmError, PayloadKeyError } from '../errors/refusals.ts'
import { isPayloadAlgorithm, type PayloadAlgorithm, payloadAlgorithms } from '../keys/algorithms.ts'
import { namesOfKey, type VerificationKey } from '../keys/verification-key.ts'
import type { JsonObject } from './read-token.ts'

/**
 * Reads a header's `alg`.
 *
 * @throws {PayloadAlgorithmError} when it is none of ours, as for an unsigned token
 */
export function readAlgorithm({ alg }: JsonObject): PayloadAlgorithm {
  if (isPayloadAlgorithm(alg)) return alg
  throw new PayloadAlgorithmError(
    `The header’s alg must be one of ${payloadAlgorithms.join(', ')}, spelled exactly so.`,
  )
}

/**
 * Chooses the partner's keys that fit a header: those that its `kid`, `x5t#S256` or `x5t` names, else those of the right
 * algorithm. The header only chooses among registered keys; its `jwk`, `jku`, `x5u` and `x5c` are not read.
 *
 * @param algorithm from {@link readAlgorithm}
 * @throws {PayloadAlgorithmError} when it is the algorithm of none of the keys
 * @throws {PayloadKeyError} when there are no keys, or the ones that fit are certificates that are not valid now
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
