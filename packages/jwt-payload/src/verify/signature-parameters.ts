import type { PayloadAlgorithm } from '../keys/algorithms.ts'

/** What WebCrypto calls each algorithm when it verifies (RFC 7518, 3; RFC 8037, 3.1). A JWS has WebCrypto's own signature formats. */
export const signatureParameters: Readonly<
  Record<PayloadAlgorithm, { readonly name: string; readonly hash?: string; readonly saltLength?: number }>
> = {
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
  RS384: { name: 'RSASSA-PKCS1-v1_5' },
  RS512: { name: 'RSASSA-PKCS1-v1_5' },
  PS256: { name: 'RSA-PSS', saltLength: 32 },
  PS384: { name: 'RSA-PSS', saltLength: 48 },
  PS512: { name: 'RSA-PSS', saltLength: 64 },
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  ES384: { name: 'ECDSA', hash: 'SHA-384' },
  ES512: { name: 'ECDSA', hash: 'SHA-512' },
  EdDSA: { name: 'Ed25519' },
  HS256: { name: 'HMAC' },
  HS384: { name: 'HMAC' },
  HS512: { name: 'HMAC' },
}
