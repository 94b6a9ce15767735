import { importSigningKey, signPayload } from '@service-link/jwt-payload'
import { exportJWK, type JWK } from 'jose'
import { audience, issuer, samplePayload } from './sample-payload.ts'

/** A token with what verifies it. */
export interface SignedToken {
  readonly token: string
  readonly publicKey: CryptoKey
  readonly publicJwk: JWK
}

/** How WebCrypto names the algorithms that are measured. */
const generation = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  },
} as const

/** Algorithm that is measured. */
export type MeasuredAlgorithm = keyof typeof generation

/** Signs the sample payload with a new key. The token is valid for five minutes. */
export async function signToken(algorithm: MeasuredAlgorithm): Promise<SignedToken> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(generation[algorithm], true, [
    'sign',
    'verify',
  ])
  const key = await importSigningKey({
    kind: 'jwk',
    jwk: await exportJWK(privateKey),
    algorithm,
    kid: 'bench',
  })
  const token = await signPayload(samplePayload, key, { audience, issuer, expiresInSeconds: 300 })
  return { token, publicKey, publicJwk: await exportJWK(publicKey) }
}
