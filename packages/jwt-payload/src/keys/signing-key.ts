import { assertParameter } from '@service-link/protocol-core/errors'
import type { CryptoKey, JWK } from 'jose'
import { KeyImportError, readable } from '../errors/key-errors.ts'
import { allowedAlgorithms, importFor, type KeyType, type PayloadAlgorithm } from './algorithms.ts'
import { findKey } from './find-keys.ts'
import { publicKeyProblem } from './foreign-keys.ts'
import { assertForSignatures, givenKeyId, keyMembersOf, keyTypeOfJwk, readJwk } from './jwk.ts'
import { assertKeyStrength } from './key-strength.ts'
import { keyTypeOfDer } from './key-type.ts'
import { assertSecretLength, importHmac, readSecret } from './secret.ts'

interface SigningKeySourceOptions {
  /**
   * Put into the token's header. Default: `kid` of a JWK, else the RFC 7638 thumbprint of the key's public part; none for a
   * secret, whose payloads then need `issuer`.
   */
  readonly kid?: string | undefined
  /** Default: RS256 for RSA, the curve's for EC and Ed25519, HS256 for a secret. */
  readonly algorithm?: PayloadAlgorithm | undefined
}

/** A key that signs ([specification 5.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#keys)). */
export type SigningKeySource = SigningKeySourceOptions &
  (
    | {
        readonly kind: 'pkcs8'
        /** Private key, `-----BEGIN PRIVATE KEY-----`, not encrypted; or the bytes of a file in PEM or DER. */
        readonly pem: string | Uint8Array
      }
    | {
        readonly kind: 'jwk'
        /** Private key, `kty` RSA, EC or OKP. */
        readonly jwk: JWK
      }
    | {
        readonly kind: 'secret'
        /** At least 32 bytes, 48 for HS384, 64 for HS512; as text they are in base64url. */
        readonly secret: string | Uint8Array
      }
  )

/** A checked and imported key, for any number of payloads. Made by `importSigningKey`. */
export interface SigningKey {
  readonly kind: SigningKeySource['kind']
  /** Header `kid` of its tokens: the given one, else the `thumbprint`. */
  readonly keyId: string | undefined
  /** RFC 7638 thumbprint of its public part; a secret has none. */
  readonly thumbprint: string | undefined
  readonly algorithm: PayloadAlgorithm
  readonly material: CryptoKey
}

/**
 * Checks and imports a key, once, to sign any number of payloads ([specification 5.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#keys)). Without a `kid` the RFC 7638 thumbprint names
 * it, by which the service finds its public key or certificate. A secret then has no name, and its payloads need an `issuer`.
 *
 * @throws {ParameterError} when `source` is no such source, or has a property that is not known
 * @throws {KeyImportError} when the key is damaged, of another kind or format (`command` converts it), not for signatures or not for
 * `algorithm`, too weak (RSA below 2,048 bits or with an exponent below 65,537, ROCA), or a secret of fewer than 32 bytes, 48 for
 * HS384, 64 for HS512
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
  const { kind } = source
  const kid = givenKeyId(kind, source.kid, source.kind === 'jwk' ? source.jwk.kid : undefined)
  if (source.kind === 'secret') {
    const secret = readSecret(source.secret)
    assertSecretLength(secret, [algorithm])
    const material = await importHmac(secret, algorithm)
    return { kind, keyId: kid, thumbprint: undefined, algorithm, material }
  }
  // Only the copy can be exported, to check its strength. The key that signs cannot leave WebCrypto again.
  const importAs = (extractable: boolean) => importPrivate(source, type, algorithm, extractable)
  const [material, copy] = await readable(kind, () => Promise.all([importAs(false), importAs(true)]))
  const thumbprint = await assertKeyStrength(type, copy, kind)
  return { kind, keyId: kid ?? thumbprint, thumbprint, algorithm, material }
}

/** The member that holds the key, for each kind. `readSecret` checks a secret. */
const membersOfKind = { pkcs8: { pem: 'file' }, jwk: { jwk: 'object' }, secret: { secret: 'any' } } as const

/** Checks the shape of a source, before anything of it is used. */
export function assertSigningKeySource(parameter: string, source: SigningKeySource): void {
  assertParameter(parameter, source, 'object')
  // Kinds and keys of `importVerificationKey`.
  if (['x509', 'spki', 'jwks'].includes(source.kind) || 'materialFor' in source)
    throw new KeyImportError(source.kind, publicKeyProblem)
  assertParameter(parameter, source, 'object', { kind: Object.keys(membersOfKind) })
  assertParameter(parameter, source, 'closed', {
    kind: 'any',
    kid: 'text?',
    algorithm: 'any',
    ...membersOfKind[source.kind],
  })
}

function typeOf(source: SigningKeySource): KeyType {
  switch (source.kind) {
    case 'secret':
      return 'secret'
    case 'jwk':
      return keyTypeOfJwk(source.jwk)
    case 'pkcs8':
      return keyTypeOfDer(findKey(source.pem, 'PRIVATE KEY', source.kind), 'pkcs8', source.kind)
  }
}

async function importPrivate(
  source: Exclude<SigningKeySource, { kind: 'secret' }>,
  type: KeyType,
  algorithm: PayloadAlgorithm,
  extractable: boolean,
): Promise<CryptoKey> {
  const options = { isPrivate: true, extractable }
  if (source.kind === 'pkcs8') {
    const data = findKey(source.pem, 'PRIVATE KEY', source.kind)
    return importFor(algorithm, type, { format: 'pkcs8', data }, options)
  }
  if (source.jwk.d === undefined) throw new KeyImportError('jwk', publicKeyProblem)
  return importFor(algorithm, type, { format: 'jwk', data: keyMembersOf(source.jwk) }, options)
}
