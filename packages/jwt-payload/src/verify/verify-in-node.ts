import type { VerifyKeyObjectInput } from 'node:crypto'
import type { CryptoKey } from 'jose'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import type { nodeCrypto } from '../keys/node-crypto.ts'

type NodeCrypto = NonNullable<typeof nodeCrypto>

/** What Node verifies by. */
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
export function verifyInNode(
  node: NodeCrypto,
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

function nodeKeyOf(node: NodeCrypto, given: CryptoKey, algorithm: PayloadAlgorithm): NodeKey {
  const key = node.KeyObject.from(given)
  if (algorithm === 'EdDSA') return { hash: undefined, input: { key } }
  const hash = `sha${algorithm.slice(2)}`
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = node.constants
  if (algorithm.startsWith('PS')) return { hash, input: { key, padding, saltLength } }
  return { hash, input: algorithm.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' } : { key } }
}
