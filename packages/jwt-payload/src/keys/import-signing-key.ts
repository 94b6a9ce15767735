import { importJWK, importPKCS8, type JWK } from 'jose'
import type { KeyType, PayloadAlgorithm } from './algorithms.ts'
import { importHmac } from './import-hmac.ts'
import { assertForSignatures, readJwk } from './jwk-schema.ts'
import { KeyImportError, readable } from './key-errors.ts'
import { givenKeyId } from './key-id.ts'
import { assertKeySource, type SigningKeySource } from './key-source.ts'
import { assertKeyStrength } from './key-strength.ts'
import { allowedAlgorithms, keyTypeOfDer, keyTypeOfJwk } from './key-type.ts'
import { decodePem, encodePem } from './pem.ts'
import { assertSecretLength, readSecret } from './secret.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * Checks and imports a key, once, to sign any number of payloads with it (specification 5.1). Without a `kid` the RFC 7638
 * thumbprint names it, by which the service finds its public key or certificate; a secret then has no name, and its payloads
 * need an `issuer`.
 *
 * @throws {ParameterError} when `source` is no such source
 * @throws {KeyImportError} when the key is damaged, of another kind, not for signatures, cannot be used with `algorithm`, is RSA with fewer
 * than 2,048 bits or an exponent below 65,537, or has the weakness ROCA, or is a secret of fewer than 32 bytes, 48
 * with HS384, 64 with HS512
 * @example
 * ```ts
 * import { importSigningKey } from '@service-link/jwt-payload'
 *
 * const key = await importSigningKey({ kind: 'pkcs8', pem: privateKeyPem })
 * ```
 */
export async function importSigningKey(given: SigningKeySource): Promise<SigningKey> {
  assertSigningKeySource('source', given)
  const source = given.kind === 'jwk' ? { ...given, jwk: readJwk(given.jwk) } : given
  const type = typeOf(source)
  if (source.kind === 'jwk') assertForSignatures(source.jwk, 'sign')
  const own = source.kind === 'jwk' && source.jwk.alg !== undefined ? [source.jwk.alg] : undefined
  const asked = source.algorithm === undefined ? undefined : [source.algorithm]
  const [algorithm] = allowedAlgorithms(type, source.kind, asked, own)
  if (!algorithm) throw new KeyImportError(source.kind, 'no algorithm is left for it')
  const { kind } = source
  const kid = givenKeyId(kind, source.kid, source.kind === 'jwk' ? source.jwk.kid : undefined)
  if (source.kind === 'secret') {
    const secret = readSecret(source.secret)
    assertSecretLength(secret, [algorithm])
    const material = await importHmac(secret, algorithm)
    return { kind, keyId: kid, thumbprint: undefined, algorithm, material }
  }
  // The copy that is looked at is forgotten at once: the key that signs cannot be taken out of WebCrypto again.
  const [material, copy] = await readable(kind, () =>
    Promise.all([importPrivate(source, algorithm, false), importPrivate(source, algorithm, true)]),
  )
  const thumbprint = await assertKeyStrength(type, copy, kind)
  return { kind, keyId: kid ?? thumbprint, thumbprint, algorithm, material }
}

/** The shape of a source alone, for a function that takes one as `parameter`. */
export function assertSigningKeySource(parameter: string, source: SigningKeySource): void {
  assertKeySource(parameter, source, ['pkcs8', 'jwk', 'secret'])
}

type PrivateKeySource = Exclude<SigningKeySource, { kind: 'secret' }>

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

async function importPrivate(
  source: PrivateKeySource,
  algorithm: PayloadAlgorithm,
  extractable: boolean,
): Promise<CryptoKey> {
  if (source.kind === 'pkcs8') {
    const der = decodePem(source.pem, 'PRIVATE KEY', source.kind)
    return importPKCS8(encodePem(der, 'PRIVATE KEY'), algorithm, { extractable })
  }
  const key = await importJWK(membersOf(source.jwk), algorithm, { extractable })
  if (key instanceof Uint8Array || key.type !== 'private')
    throw new KeyImportError('jwk', 'it has no private part; signing needs the member d')
  return key
}

/** What would restrict the imported key to some operations is dropped. */
function membersOf({ alg: _alg, key_ops: _operations, ext: _extractable, ...members }: JWK): JWK {
  return members
}
