import type { VerifyKeyObjectInput } from 'node:crypto'
import type { CryptoKey } from 'jose'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import type { nodeCrypto } from '../keys/node-crypto.ts'

type NodeCrypto = NonNullable<typeof nodeCrypto>

/** Node's form of each key, made once: WebCrypto has bound the key to one algorithm. */
const nodeKeys = new WeakMap<CryptoKey, VerifyKeyObjectInput>()

/**
 * Checks a signature by Node's own crypto. jose's `compactVerify` does the same by WebCrypto, which works in another thread: the way
 * there and back takes two to four times as long as the check. The only step of a token that is not jose's on Node.
 */
export function verifyInNode(
  node: NodeCrypto,
  given: CryptoKey,
  algorithm: PayloadAlgorithm,
  input: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = nodeKeys.get(given) ?? nodeKeyOf(node, given, algorithm)
  nodeKeys.set(given, key)
  const hash = algorithm === 'EdDSA' ? undefined : `sha${algorithm.slice(2)}`
  return node.verify(hash, input, key, signature)
}

function nodeKeyOf(node: NodeCrypto, given: CryptoKey, algorithm: PayloadAlgorithm): VerifyKeyObjectInput {
  const key = node.KeyObject.from(given)
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = node.constants
  if (algorithm.startsWith('PS')) return { key, padding, saltLength }
  return algorithm.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' } : { key }
}
