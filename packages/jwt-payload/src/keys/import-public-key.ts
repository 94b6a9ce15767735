import { importJWK, importSPKI } from 'jose'
import type { KeyType, PayloadAlgorithm } from './algorithms.ts'
import { assertPublicJwk } from './assert-public.ts'
import { certificateFacts } from './certificate.ts'
import { assertForSignatures, readJwk } from './jwk-schema.ts'
import { KeyImportError } from './key-errors.ts'
import { givenKeyId } from './key-id.ts'
import { importMaterials } from './key-materials.ts'
import type { VerificationKeySource } from './key-source.ts'
import { assertKeyStrength } from './key-strength.ts'
import { allowedAlgorithms, keyTypeOfDer, keyTypeOfJwk } from './key-type.ts'
import { encodePem } from './pem.ts'
import type { ParsedCertificate } from './read-certificate.ts'
import type { VerificationKey } from './verification-key.ts'

/**
 * Imports a SubjectPublicKeyInfo, which may be a certificate's.
 *
 * @throws {KeyImportError} when it is damaged, weak, or of no kind that the partner link has an algorithm for
 */
export async function importPublicDer(
  source: VerificationKeySource,
  spki: Uint8Array,
  certificate?: ParsedCertificate,
): Promise<VerificationKey> {
  const type = keyTypeOfDer(spki, 'spki', source.kind)
  const algorithms = allowedAlgorithms(type, source.kind, source.algorithms)
  const pem = encodePem(spki, 'PUBLIC KEY')
  return importPublicKey(source, type, algorithms, algorithm => importSPKI(pem, algorithm), certificate)
}

/**
 * Imports a public JWK; its own `alg`, `use`, `key_ops` and `kid` count.
 *
 * @throws {KeyImportError} as {@link importPublicDer}, and when it is a private key or a secret
 */
export async function importPublicJwk(
  source: VerificationKeySource,
  given: unknown,
): Promise<VerificationKey> {
  const jwk = readJwk(given)
  const type = keyTypeOfJwk(jwk)
  assertPublicJwk(jwk)
  assertForSignatures(jwk, 'verify')
  const own = jwk.alg === undefined ? undefined : [jwk.alg]
  const algorithms = allowedAlgorithms(type, 'jwk', source.algorithms, own)
  const { alg: _alg, key_ops: _operations, ext: _extractable, ...members } = jwk
  return importPublicKey(
    { ...source, kid: givenKeyId('jwk', source.kid, jwk.kid) },
    type,
    algorithms,
    async algorithm => {
      const key = await importJWK(members, algorithm, { extractable: true })
      if (key instanceof Uint8Array) throw new KeyImportError('jwk', 'it holds a shared secret')
      return key
    },
  )
}

async function importPublicKey(
  { kind, kid }: Pick<VerificationKeySource, 'kind' | 'kid'>,
  type: KeyType,
  algorithms: readonly PayloadAlgorithm[],
  importFor: (algorithm: PayloadAlgorithm) => Promise<CryptoKey>,
  certificate?: ParsedCertificate,
): Promise<VerificationKey> {
  const materials = await importMaterials(kind, algorithms, importFor)
  const thumbprint = await assertKeyStrength(type, materials.first, kind)
  return {
    kind,
    keyId: givenKeyId(kind, kid, undefined) ?? thumbprint,
    thumbprint,
    certificateDigests: certificate?.digests ?? [],
    algorithms,
    certificate: certificate && certificateFacts(certificate),
    materialFor: materials.materialFor,
  }
}
