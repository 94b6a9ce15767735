import type { JWK } from 'jose'
import { allowedAlgorithms } from './algorithms.ts'
import { importStrong, jwkOfDer } from './import-jwk.ts'
import { assertForSignatures, assertPublicJwk, givenKeyId, keyTypeOfJwk, readJwk } from './jwk.ts'
import {
  type CertifiedKey,
  type PublicSource,
  type VerificationKey,
  verificationKeyOf,
} from './verification-key.ts'

/** Imports a SubjectPublicKeyInfo, or the public key of a certificate. */
export async function importPublicDer(
  source: PublicSource,
  der: Uint8Array,
  certified?: CertifiedKey,
): Promise<VerificationKey> {
  return importPublic(
    source,
    await jwkOfDer(der, certified ? 'CERTIFICATE' : 'PUBLIC KEY', source.kind),
    certified,
  )
}

/** Imports a public JWK; its own `alg`, `use`, `key_ops` and `kid` count. */
export async function importPublicJwk(source: PublicSource, given: unknown): Promise<VerificationKey> {
  const jwk = readJwk(given)
  keyTypeOfJwk(jwk)
  assertPublicJwk(jwk)
  assertForSignatures(jwk, 'verify')
  return importPublic({ ...source, kid: givenKeyId('jwk', source.kid, jwk.kid) }, jwk)
}

async function importPublic(
  source: PublicSource,
  jwk: JWK,
  certified?: CertifiedKey,
): Promise<VerificationKey> {
  const own = jwk.alg === undefined ? undefined : [jwk.alg]
  const algorithms = allowedAlgorithms(keyTypeOfJwk(jwk), source.kind, source.algorithms, own)
  const { keys, thumbprint } = await importStrong(jwk, algorithms, source.kind)
  return verificationKeyOf(source, keys, thumbprint, certified)
}
