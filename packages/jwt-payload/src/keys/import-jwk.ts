import type { CryptoKey, JWK } from 'jose'
import { exportJWK } from 'jose/key/export'
import { importJWK, importPKCS8, importSPKI, importX509 } from 'jose/key/import'
import { KeyImportError, readable } from '../errors/key-errors.ts'
import { allowedAlgorithms, type PayloadAlgorithm } from './algorithms.ts'
import { assertForSignatures, assertPublicJwk, givenKeyId, keyTypeOfJwk, readJwk } from './jwk.ts'
import { encodePem, hex, type WantedLabel } from './key-content.ts'
import { assertKeyStrength } from './key-strength.ts'
import { nodeCrypto } from './node-crypto.ts'
import {
  type CertifiedKey,
  type PublicSource,
  type VerificationKey,
  verificationKeyOf,
} from './verification-key.ts'

const importers = { CERTIFICATE: importX509, 'PUBLIC KEY': importSPKI, 'PRIVATE KEY': importPKCS8 }

/** One algorithm of each type of key: the type is that by which jose imports the key. */
const typical = ['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const

/** Object identifier of a prime field: a curve that is written by its numbers may differ from the named one in a detail. */
const primeField = '2a8648ce3d0101'

/** Reads a certificate's public key, a SubjectPublicKeyInfo or a PKCS#8 PrivateKeyInfo by jose. */
export async function jwkOfDer(der: Uint8Array, label: WantedLabel, kind: string): Promise<JWK> {
  if (hex(der).includes(primeField))
    throw new KeyImportError(
      kind,
      'its curve is written by its numbers (explicit parameters); write its name, with openssl -ec_param_enc named_curve',
    )
  const pem = encodePem(der, label)
  for (const algorithm of typical) {
    const key = await importers[label](pem, algorithm, { extractable: true }).catch(() => undefined)
    if (key) return exportJWK(key)
  }
  throw new KeyImportError(kind, problemOf(pem, label))
}

/** A hint: why jose has imported a key by no algorithm. */
function problemOf(pem: string, label: WantedLabel): string {
  if (!nodeCrypto) return 'it is damaged, or neither RSA, nor EC on P-256, P-384 or P-521, nor Ed25519'
  try {
    const read = label === 'PRIVATE KEY' ? nodeCrypto.createPrivateKey : nodeCrypto.createPublicKey
    switch (read(pem).asymmetricKeyType) {
      case 'rsa':
      case 'ed25519':
        return 'it is damaged'
      case 'ec':
        return 'its curve is not P-256, P-384 or P-521'
      case 'rsa-pss':
        return 'it is bound to RSASSA-PSS, which WebCrypto does not read; use a plain RSA key with PS256'
      default:
        return 'it is neither RSA, nor EC, nor Ed25519'
    }
  } catch {
    return 'it is damaged'
  }
}

/**
 * Imports a strong public or private key for each of its algorithms: WebCrypto binds a key to its hash. The six of an RSA key take
 * under a millisecond. A public key can be exported, for Node's own crypto; a private one cannot leave WebCrypto again.
 */
export async function importStrong(
  jwk: JWK,
  algorithms: readonly [PayloadAlgorithm, ...PayloadAlgorithm[]],
  kind: string,
): Promise<{ readonly thumbprint: string; readonly keys: ReadonlyMap<PayloadAlgorithm, CryptoKey> }> {
  const written = await readable(kind, async () => {
    const { alg: _alg, key_ops: _operations, ext: _extractable, ...members } = jwk
    return exportJWK(await importJWK(members, algorithms[0], { extractable: true }))
  })
  const thumbprint = await assertKeyStrength(written, kind)
  const keys = new Map<PayloadAlgorithm, CryptoKey>()
  for (const algorithm of algorithms) {
    const key = await readable(kind, () => importJWK(written, algorithm))
    if ('algorithm' in key) keys.set(algorithm, key)
  }
  return { thumbprint, keys }
}

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
