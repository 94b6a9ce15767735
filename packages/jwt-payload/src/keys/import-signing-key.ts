import { importJWK, importPKCS8 } from 'jose'
import type { KeyType, PayloadAlgorithm } from './algorithms.ts'
import { importHmac } from './import-hmac.ts'
import { KeyImportError } from './key-errors.ts'
import type { SigningKeySource } from './key-source.ts'
import { allowedAlgorithms, keyTypeOfDer, keyTypeOfJwk } from './key-type.ts'
import { decodePem, encodePem } from './pem.ts'
import { assertRsaLength } from './rsa-length.ts'
import { readSecret } from './secret.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * Checks and imports a key, once, to sign any number of payloads with it (specification 5.1).
 *
 * @throws {KeyImportError} when the key is damaged, of another kind, cannot be used with `algorithm`, is RSA with fewer
 * than 2,048 bits, or a secret of fewer than 32 bytes
 * @example
 * ```ts
 * import { importSigningKey } from '@service-link/jwt-payload'
 *
 * const key = await importSigningKey({ kind: 'pkcs8', pem: privateKeyPem, kid: '2026' })
 * ```
 */
export async function importSigningKey(source: SigningKeySource): Promise<SigningKey> {
  const type = typeOf(source)
  const own = source.kind === 'jwk' && source.jwk.alg !== undefined ? [source.jwk.alg] : undefined
  const asked = source.algorithm === undefined ? undefined : [source.algorithm]
  const [algorithm] = allowedAlgorithms(type, source.kind, asked, own)
  if (!algorithm) throw new KeyImportError(source.kind, 'no algorithm is left for it')
  let material: CryptoKey
  try {
    material = await importMaterial(source, algorithm)
  } catch (error) {
    // What the library says may quote the key.
    throw error instanceof KeyImportError ? error : new KeyImportError(source.kind, 'it is damaged')
  }
  if (type === 'RSA') assertRsaLength(material, source.kind)
  const keyId = source.kid ?? (source.kind === 'jwk' ? source.jwk.kid : undefined)
  return { kind: source.kind, keyId, algorithm, material }
}

function typeOf(source: SigningKeySource): KeyType {
  switch (source.kind) {
    case 'secret':
      return 'secret'
    case 'jwk':
      return keyTypeOfJwk(source.jwk)
    case 'pkcs8':
      return keyTypeOfDer(decodePem(source.pem, 'PRIVATE KEY', source.kind), 'pkcs8', source.kind)
  }
}

async function importMaterial(source: SigningKeySource, algorithm: PayloadAlgorithm): Promise<CryptoKey> {
  switch (source.kind) {
    case 'secret':
      return importHmac(readSecret(source.secret), algorithm)
    case 'pkcs8': {
      const der = decodePem(source.pem, 'PRIVATE KEY', source.kind)
      return importPKCS8(encodePem(der, 'PRIVATE KEY'), algorithm)
    }
    case 'jwk': {
      const { alg: _alg, key_ops: _operations, ...members } = source.jwk
      const key = await importJWK(members, algorithm)
      if (key instanceof Uint8Array || key.type !== 'private')
        throw new KeyImportError('jwk', 'it has no private part; signing needs the member d')
      return key
    }
  }
}
