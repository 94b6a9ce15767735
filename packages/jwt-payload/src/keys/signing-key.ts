import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import type { CryptoKey, JWK, KeyObject } from 'jose'
import { exportJWK, exportPKCS8 } from 'jose/key/export'
import { KeyImportError, publicKeyProblem, readable } from '../errors/key-errors.ts'
import { algorithmOf, allowedAlgorithms, type KeyType, type PayloadAlgorithm } from './algorithms.ts'
import { findKey } from './find-keys.ts'
import { importStrong, jwkOfDer } from './import-jwk.ts'
import { assertForSignatures, givenKeyId, keyTypeOfJwk, readJwk } from './jwk.ts'
import { findSizeWeakness, integerOf } from './key-strength.ts'
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

/** A key that signs (spec 5.1). */
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
    | {
        readonly kind: 'key'
        /**
         * A private key or a secret that the program holds already, of WebCrypto or of Node's crypto. One of WebCrypto is bound to
         * its algorithm. One that cannot be exported has no thumbprint: give a `kid`.
         */
        readonly key: CryptoKey | KeyObject
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
 * Checks and imports a key, once, to sign any number of payloads (spec 5.1). Without a `kid` the RFC 7638 thumbprint names
 * it, by which the service finds its public key or certificate. A secret then has no name, and its payloads need an `issuer`.
 *
 * @param given a source, or a `CryptoKey` or `KeyObject` for one of the kind `key`
 * @throws {ParameterError} when `given` is no such source, or has a property that is not known
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
export async function importSigningKey(given: SigningKeySource | CryptoKey | KeyObject): Promise<SigningKey> {
  const source = isKey(given) ? ({ kind: 'key', key: given } as const) : given
  assertSigningKeySource('source', source)
  switch (source.kind) {
    case 'pkcs8':
      return importPkcs8(source, source.pem)
    case 'jwk': {
      const jwk = readJwk(source.jwk)
      keyTypeOfJwk(jwk)
      assertForSignatures(jwk, 'sign')
      if (jwk.d === undefined) throw new KeyImportError('jwk', publicKeyProblem)
      return importPrivate({ ...source, kid: givenKeyId('jwk', source.kid, jwk.kid) }, jwk)
    }
    case 'secret':
      return importSecret(source, source.secret)
    case 'key':
      return importHeld(source)
  }
}

type Asked = Pick<SigningKeySource, 'kind' | 'kid' | 'algorithm'>

async function importPkcs8(asked: Asked, pem: string | Uint8Array): Promise<SigningKey> {
  const der = await findKey(pem, 'PRIVATE KEY', asked.kind)
  return importPrivate(asked, await jwkOfDer(der, 'PRIVATE KEY', asked.kind))
}

async function importPrivate(asked: Asked, jwk: JWK): Promise<SigningKey> {
  const algorithm = algorithmFor(asked, keyTypeOfJwk(jwk), jwk.alg)
  const { thumbprint, keys } = await importStrong(jwk, [algorithm], asked.kind)
  const [material] = keys.values()
  if (!material) throw new TypeError('jose gave no key.')
  return signingKeyOf(asked, algorithm, material, thumbprint)
}

async function importSecret(asked: Asked, given: string | Uint8Array): Promise<SigningKey> {
  const algorithm = algorithmFor(asked, 'secret')
  const secret = readSecret(given)
  assertSecretLength(secret.length, [algorithm], asked.kind)
  return signingKeyOf(asked, algorithm, await importHmac(secret, algorithm))
}

function algorithmFor({ kind, algorithm }: Asked, type: KeyType, own?: string): PayloadAlgorithm {
  const narrowings = [algorithm, own].map(one => (one === undefined ? undefined : [one]))
  return allowedAlgorithms(type, kind, ...narrowings)[0]
}

function signingKeyOf(
  { kind, kid }: Asked,
  algorithm: PayloadAlgorithm,
  material: CryptoKey,
  thumbprint?: string,
): SigningKey {
  return { kind, keyId: givenKeyId(kind, kid, thumbprint), thumbprint, algorithm, material }
}

/** Imports a key that the program holds. What can be exported is checked as a file is. */
async function importHeld(source: Extract<SigningKeySource, { kind: 'key' }>): Promise<SigningKey> {
  const { key, kind } = source
  if (key.type === 'public') throw new KeyImportError(kind, publicKeyProblem)
  const asked = 'algorithm' in key ? { ...source, algorithm: ownAlgorithm(key, source) } : source
  if ('algorithm' in key && !key.extractable && asked.algorithm) {
    assertHeldStrength(key, asked.algorithm)
    return signingKeyOf(asked, asked.algorithm, key)
  }
  if (key.type === 'secret') return importSecret(asked, (await exportJWK(key)).k ?? '')
  return importPkcs8(asked, await readable(kind, () => exportPKCS8(key)))
}

function ownAlgorithm(key: CryptoKey, { kind, algorithm: asked }: Asked): PayloadAlgorithm {
  const own = algorithmOf(key)
  if (own === undefined || !key.usages.includes('sign'))
    throw new KeyImportError(
      kind,
      'WebCrypto has made it for another use than to sign with an algorithm of the partner link',
    )
  if (asked !== undefined && asked !== own)
    throw new KeyImportError(kind, `WebCrypto has bound it to ${own}, so that it cannot sign with ${asked}`)
  return own
}

/** Members of WebCrypto's names of RSA and HMAC keys, in bits. */
interface KeySize {
  readonly name: string
  readonly modulusLength?: number
  readonly publicExponent?: Uint8Array
  readonly length?: number
}

/** Checks what a key tells of itself that never leaves its place. Only the service can check its modulus. */
function assertHeldStrength({ algorithm }: CryptoKey, own: PayloadAlgorithm): void {
  const { modulusLength, publicExponent, length = 0 }: KeySize = algorithm
  if (own.startsWith('HS')) assertSecretLength(length / 8, [own], 'key')
  const problem =
    modulusLength && publicExponent && findSizeWeakness(modulusLength, integerOf(publicExponent))
  if (problem) throw new KeyImportError('key', problem)
}

/** The member that holds the key, for each kind. `readSecret` checks a secret. */
const membersOfKind = {
  pkcs8: { pem: 'file' },
  jwk: { jwk: 'object' },
  secret: { secret: 'any' },
  key: { key: 'object' },
} as const

const verifyingKeyProblem =
  'it is a key of importVerificationKey, which cannot sign; give the private key or the secret'

/** Checks the shape of a source, before anything of it is used. */
export function assertSigningKeySource(parameter: string, source: SigningKeySource): void {
  if (typeof source === 'string' || ArrayBuffer.isView(source))
    throw new ParameterError(parameter, "an object, such as { kind: 'pkcs8', pem }")
  assertParameter(parameter, source, 'object')
  if (['x509', 'spki'].includes(source.kind) && /-BEGIN [A-Z ]*PRIVATE KEY-/.test(String(Object(source).pem)))
    throw new ParameterError(`${parameter}.kind`, 'pkcs8', 'must be pkcs8: it is a private key.')
  if ('materialFor' in source) throw new KeyImportError(source.kind, verifyingKeyProblem)
  // Kinds of `importVerificationKey`.
  if (['x509', 'spki', 'jwks'].includes(source.kind)) throw new KeyImportError(source.kind, publicKeyProblem)
  assertParameter(parameter, source, 'object', { kind: Object.keys(membersOfKind) })
  assertParameter(parameter, source, 'closed', {
    kind: 'any',
    kid: 'text?',
    algorithm: 'any',
    ...membersOfKind[source.kind],
  })
  if (source.kind === 'key' && !isKey(source.key))
    throw new ParameterError(`${parameter}.key`, 'a CryptoKey or a KeyObject')
}

/** Whether a value is a key of WebCrypto or of Node's crypto, by its name: `instanceof` fails across realms. */
export function isKey(value: object): value is CryptoKey | KeyObject {
  return ['CryptoKey', 'KeyObject'].includes(Reflect.get(Object(value), Symbol.toStringTag))
}
