import { PayloadAlgorithmError, PayloadKeyError } from '../errors/payload-errors.ts'
import { isPayloadAlgorithm, type PayloadAlgorithm, payloadAlgorithms } from '../keys/algorithms.ts'
import { describeValidity, isInValidity } from '../keys/certificate.ts'
import { namesOfKey, type VerificationKey } from '../keys/verification-key.ts'

/** Keys that a token may have been signed with, and the algorithm for all of them. */
export interface ChosenKeys {
  readonly algorithm: PayloadAlgorithm
  readonly keys: readonly VerificationKey[]
}

/**
 * Chooses the partner's keys that fit a header: those that its `kid`, `x5t#S256` or `x5t` names, else those of the right
 * algorithm. The header only chooses among registered keys; its `jwk`, `jku`, `x5u` and `x5c` are not read.
 *
 * @param algorithm the header's `alg`, from {@link readAlgorithm}
 * @throws {PayloadAlgorithmError} when it is the algorithm of none of the keys
 * @throws {PayloadKeyError} when there are no keys, or the ones that fit are certificates that are not valid now
 */
export function chooseKeys(
  header: Readonly<Record<string, unknown>>,
  algorithm: PayloadAlgorithm,
  keys: readonly VerificationKey[],
  now: Date,
): ChosenKeys {
  if (keys.length === 0) throw new PayloadKeyError('No key is registered for this partner.')
  const named = keys.filter(key => isNamedBy(key, header))
  const candidates = (named.length > 0 ? named : keys).filter(key => key.algorithms.includes(algorithm))
  if (candidates.length === 0)
    throw new PayloadAlgorithmError(
      'The registered key cannot be used with the header’s alg. Sign with the algorithm of the registered key.',
    )
  const valid = candidates.filter(({ certificate }) => !certificate || isInValidity(certificate, now))
  if (valid.length === 0) {
    const certificate = candidates[0]?.certificate
    throw new PayloadKeyError(
      `${certificate ? describeValidity(certificate, now) : 'The certificate is not valid.'} Register its successor.`,
      certificate,
    )
  }
  return { algorithm, keys: valid }
}

/**
 * Reads a header's `alg`.
 *
 * @throws {PayloadAlgorithmError} when it is none of ours, as for an unsigned token
 */
export function readAlgorithm(header: Readonly<Record<string, unknown>>): PayloadAlgorithm {
  if (isPayloadAlgorithm(header.alg)) return header.alg
  throw new PayloadAlgorithmError(
    `The header’s alg must be one of ${payloadAlgorithms.join(', ')}, spelled exactly so.`,
  )
}

/** Whether the header names this key. */
export function isNamedBy(key: VerificationKey, header: Readonly<Record<string, unknown>>): boolean {
  const { kid } = header
  const digest = header['x5t#S256'] ?? header.x5t
  return (
    (typeof kid === 'string' && namesOfKey(key).includes(kid)) ||
    (typeof digest === 'string' && key.certificateDigests.includes(digest))
  )
}
