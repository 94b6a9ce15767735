import type { KeyObject } from 'node:crypto'
import { type PayloadAlgorithm, signatureParameters } from '../keys/algorithms.ts'
import { nodeCrypto } from '../keys/node-crypto.ts'
import type { UnverifiedToken } from './read-token.ts'

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

/** Node's form of each key, made once. */
const keyObjects = new WeakMap<CryptoKey, KeyObject>()

function isSignedInNode(
  node: NonNullable<typeof nodeCrypto>,
  given: CryptoKey,
  algorithm: PayloadAlgorithm,
  input: string,
  signature: Uint8Array,
): boolean {
  const key = keyObjects.get(given) ?? node.KeyObject.from(given)
  keyObjects.set(given, key)
  if (algorithm === 'EdDSA') return node.verify(undefined, utf8.encode(input), key, signature)
  const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST: saltLength } = node.constants
  const padding = algorithm.startsWith('PS') ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING
  const verify = node.createVerify(`sha${algorithm.slice(2)}`).update(input)
  return algorithm.startsWith('ES')
    ? verify.verify({ key, dsaEncoding: 'ieee-p1363' }, signature)
    : verify.verify({ key, padding, saltLength }, signature)
}
