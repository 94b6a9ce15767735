import type { PayloadAlgorithm } from './algorithms.ts'

/** Imports a shared secret for one HS algorithm, so that the bytes need not be imported for each token. */
export function importHmac(secret: Uint8Array<ArrayBuffer>, algorithm: PayloadAlgorithm): Promise<CryptoKey> {
  const hash = `SHA-${algorithm.slice(2)}`
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash }, false, ['sign', 'verify'])
}
