import type { VerifyKeyObjectInput } from 'node:crypto'
import { describeValidity, isInValidity } from '../errors/key-errors.ts'
import {
  PayloadAlgorithmError,
  PayloadKeyError,
  PayloadSignatureError,
  UnavailableError,
} from '../errors/refusals.ts'
import { type PayloadAlgorithm, payloadAlgorithms, signatureParameters } from '../keys/algorithms.ts'
import { nodeCrypto } from '../keys/node-crypto.ts'
import { isKeySet, namesOfKey, type VerificationKey } from '../keys/verification-key.ts'
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
 *
 * @param signal gives the signal that ends the wait for a key set
 */
export async function checkSignature(
  token: UnverifiedToken,
  algorithm: PayloadAlgorithm,
  keys: readonly VerificationKey[],
  signal?: () => AbortSignal | undefined,
): Promise<VerificationKey> {
  let failure: unknown
  for (const key of keys.toSorted((one, other) => Number(isKeySet(one)) - Number(isKeySet(other)))) {
    try {
      const materials = key.materialFor(algorithm, token.header, isKeySet(key) ? signal?.() : undefined)
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

/**
 * Whether a key has made a token's signature by this algorithm, which must be one of the key's. Node answers at once. Keys that
 * cannot be exported, such as secrets, stay in WebCrypto.
 */
export function isSignedWith(
  key: CryptoKey,
  algorithm: PayloadAlgorithm,
  { signingInput, signature }: Pick<UnverifiedToken, 'signingInput' | 'signature'>,
): boolean | Promise<boolean> {
  if (!hasFittingLength(signature, algorithm, key)) return false
  return nodeCrypto && key.extractable
    ? isSignedInNode(nodeCrypto, key, algorithm, signingInput, signature)
    : crypto.subtle.verify(signatureParameters[algorithm], key, signature, utf8.encode(signingInput))
}

/** Bytes of each of the two numbers in an ECDSA signature of a JWS (RFC 7518, 3.4). */
export const numberBytes: Partial<Record<PayloadAlgorithm, number>> = { ES256: 32, ES384: 48, ES512: 66 }

/**
 * An RSA signature is as long as its modulus (RFC 8017, 8.1.2, step 1). For PSS, runtimes also take one without a leading 0:
 * one signature would have two texts.
 */
function hasFittingLength(
  { length }: Uint8Array,
  algorithm: PayloadAlgorithm,
  { algorithm: parameters }: CryptoKey,
): boolean {
  const size = numberBytes[algorithm]
  if (size !== undefined) return length === 2 * size
  return !('modulusLength' in parameters) || length === Math.ceil(Number(parameters.modulusLength) / 8)
}

const utf8 = new TextEncoder()

/** Node's form of each key, made once: WebCrypto has bound the key to one algorithm. */
const nodeKeys = new WeakMap<CryptoKey, VerifyKeyObjectInput>()

function isSignedInNode(
  node: NonNullable<typeof nodeCrypto>,
  given: CryptoKey,
  algorithm: PayloadAlgorithm,
  input: string,
  signature: Uint8Array,
): boolean {
  const key = nodeKeys.get(given) ?? nodeKeyOf(node, given, algorithm)
  nodeKeys.set(given, key)
  if (algorithm === 'EdDSA') return node.verify(undefined, utf8.encode(input), key, signature)
  // Base64url and dots are ASCII.
  return node
    .createVerify(`sha${algorithm.slice(2)}`)
    .update(input, 'latin1')
    .verify(key, signature)
}

function nodeKeyOf(node: NonNullable<typeof nodeCrypto>, given: CryptoKey, algorithm: PayloadAlgorithm) {
  const key = node.KeyObject.from(given)
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = node.constants
  if (algorithm.startsWith('PS')) return { key, padding, saltLength }
  return algorithm.startsWith('ES') ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : { key }
}
