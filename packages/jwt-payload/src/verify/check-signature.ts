import type { VerifyKeyObjectInput } from 'node:crypto'
import type { CryptoKey } from 'jose'
import * as base64url from 'jose/base64url'
import { JOSEError } from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { describeValidity, isInValidity } from '../errors/key-errors.ts'
import {
  PayloadAlgorithmError,
  PayloadKeyError,
  PayloadSignatureError,
  UnavailableError,
} from '../errors/refusals.ts'
import { type PayloadAlgorithm, payloadAlgorithms } from '../keys/algorithms.ts'
import { nodeCrypto } from '../keys/node-crypto.ts'
import { isKeySet, namesOfKey, type VerificationKey } from '../keys/verification-key.ts'
import type { JsonObject, UnverifiedToken } from './read-token.ts'
import { signatureBytes } from './signature-form.ts'

/** @param taken the names that a receiver takes */
export function readAlgorithm(
  { alg }: JsonObject,
  taken: readonly string[] = payloadAlgorithms,
): PayloadAlgorithm {
  const algorithm = payloadAlgorithms.find(name => name === alg)
  if (algorithm && taken.includes(algorithm)) return algorithm
  throw new PayloadAlgorithmError(`The header’s alg must be one of ${taken.join(', ')}, spelled exactly so.`)
}

/** A token that a registered key has signed. */
export interface SignedToken extends UnverifiedToken {
  readonly algorithm: PayloadAlgorithm
  readonly key: VerificationKey
}

/** Finds the registered key that has signed a token. Throws the refusals of its algorithm, key and signature. */
export async function findSigner(
  token: UnverifiedToken,
  terms: {
    readonly keys: readonly VerificationKey[]
    readonly now: Date
    readonly signal?: (() => AbortSignal | undefined) | undefined
  },
): Promise<SignedToken> {
  const algorithm = readAlgorithm(token.header)
  const keys = chooseKeys(token.header, algorithm, terms.keys, terms.now)
  const key = await checkSignature(token, algorithm, keys, terms.signal)
  return { ...token, algorithm, key }
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
    ? verifyInNode(nodeCrypto, key, algorithm, signingInput, signature)
    : verifyByJose(key, algorithm, signingInput, signature)
}

/**
 * An RSA signature is as long as its modulus (RFC 8017, 8.1.2, step 1). For PSS, runtimes also take one without a leading 0:
 * one signature would have two texts.
 */
function hasFittingLength(
  { length }: Uint8Array,
  algorithm: PayloadAlgorithm,
  { algorithm: parameters }: CryptoKey,
): boolean {
  const size = signatureBytes(algorithm)
  if (size !== undefined) return length === size
  return !('modulusLength' in parameters) || length === Math.ceil(Number(parameters.modulusLength) / 8)
}

/** False also where the header names another algorithm: jose verifies by that of the header. */
async function verifyByJose(
  key: CryptoKey,
  algorithm: PayloadAlgorithm,
  signingInput: string,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    await compactVerify(`${signingInput}.${base64url.encode(signature)}`, key, { algorithms: [algorithm] })
    return true
  } catch (error) {
    if (error instanceof JOSEError) return false
    throw error
  }
}

interface NodeKey {
  readonly hash: string | undefined
  readonly input: VerifyKeyObjectInput
}

/** Node's form of each key, made once: WebCrypto has bound the key to one algorithm. */
const nodeKeys = new WeakMap<CryptoKey, NodeKey>()

/**
 * Checks a signature by Node's own crypto. jose's `compactVerify` does the same by WebCrypto, which works in another thread: the way
 * there and back takes two to four times as long as the check. The only step of a token that is not jose's on Node.
 */
function verifyInNode(
  node: NonNullable<typeof nodeCrypto>,
  given: CryptoKey,
  algorithm: PayloadAlgorithm,
  signingInput: string,
  signature: Uint8Array,
): boolean {
  let key = nodeKeys.get(given)
  if (!key) {
    key = nodeKeyOf(node, given, algorithm)
    nodeKeys.set(given, key)
  }
  if (!key.hash) return node.verify(undefined, Buffer.from(signingInput), key.input, signature)
  // Base64url and dots are ASCII.
  return node.createVerify(key.hash).update(signingInput, 'latin1').verify(key.input, signature)
}

function nodeKeyOf(
  node: NonNullable<typeof nodeCrypto>,
  given: CryptoKey,
  algorithm: PayloadAlgorithm,
): NodeKey {
  const key = node.KeyObject.from(given)
  if (algorithm === 'EdDSA') return { hash: undefined, input: { key } }
  const hash = `sha${algorithm.slice(2)}`
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = node.constants
  if (algorithm.startsWith('PS')) return { hash, input: { key, padding, saltLength } }
  return { hash, input: algorithm.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' } : { key } }
}
