import { calculateJwkThumbprint, exportJWK } from 'jose'

/**
 * The thumbprint by which both sides name a key that was given no `kid` (RFC 7638, SHA-256). It is made of the public part
 * alone, so that a private key, its public key and its certificate have the same one.
 *
 * @param key of an asymmetric algorithm, extractable. Never a secret: its digest would let others guess it.
 * @returns 43 characters of base64url
 */
export async function keyThumbprint(key: CryptoKey): Promise<string> {
  return calculateJwkThumbprint(await exportJWK(key))
}
