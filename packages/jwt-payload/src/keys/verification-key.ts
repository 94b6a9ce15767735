import type { CryptoKey, JWK } from 'jose'
import type { Certificate } from '../errors/key-errors.ts'
import type { PayloadAlgorithm } from './algorithms.ts'
import type { ParsedCertificate } from './certificate.ts'
import { givenKeyId } from './jwk.ts'

interface KeySourceOptions {
  /**
   * Identifier that a token's header `kid` names it by. Default: `kid` of a JWK, else the RFC 7638 thumbprint of a public key; a
   * secret and a key set have none, and are found by the partner's issuer.
   */
  readonly kid?: string | undefined
  /** Narrows the algorithms that the key's type allows. Default: all of them. */
  readonly algorithms?: readonly PayloadAlgorithm[] | undefined
}

/**
 * A key that verifies, as a partner registers it (spec 5.1). Never a bare string: the kind says what the text is,
 * so that a public key is never taken for a secret.
 */
export type VerificationKeySource = KeySourceOptions &
  (
    | {
        readonly kind: 'x509'
        /**
         * Certificate, `-----BEGIN CERTIFICATE-----`, or the bytes of a file in PEM or DER. Of several the one counts that the
         * others have issued, in any order.
         */
        readonly pem: string | Uint8Array
      }
    | {
        readonly kind: 'spki'
        /** Public key, `-----BEGIN PUBLIC KEY-----`, or the bytes of a file in PEM or DER. */
        readonly pem: string | Uint8Array
      }
    | {
        readonly kind: 'jwk'
        /** Public key, `kty` RSA, EC or OKP. */
        readonly jwk: JWK
      }
    | {
        readonly kind: 'jwks'
        /** Where the partner publishes its JSON Web Key Set: https, or http on this machine. Redirects are not followed. */
        readonly url: string | URL
      }
    | {
        readonly kind: 'secret'
        /** At least 32 bytes, 48 for HS384, 64 for HS512; as text they are in base64url. */
        readonly secret: string | Uint8Array
      }
  )

/** Options of `importVerificationKey`. */
export interface ImportVerificationKeyOptions {
  /** For the validity of a certificate. Default: the machine's clock. */
  readonly clock?: (() => Date) | undefined
  /**
   * When a certificate's validity counts: `import` refuses one that is not valid now; `use` keeps it, so that it can be
   * registered before it becomes valid. Each use is checked as well. Default `import`.
   */
  readonly validity?: 'import' | 'use' | undefined
  /** Time-out of a request for a key set, in milliseconds. Default 5,000. */
  readonly keySetTimeoutMs?: number | undefined
  /** Fetches key sets. Default: the platform's. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** A checked and imported key, for any number of tokens. Made by `importVerificationKey`. */
export interface VerificationKey {
  readonly kind: VerificationKeySource['kind']
  /** `kid` that the key was registered with; without one its `thumbprint`. A secret or key set has none by itself. */
  readonly keyId: string | undefined
  /** RFC 7638 thumbprint, by which a header's `kid` may name a public key whatever it was registered as. */
  readonly thumbprint: string | undefined
  /** Digests by which a header may name a certificate as `kid`, `x5t` or `x5t#S256`: hexadecimal and base64url. */
  readonly certificateDigests: readonly string[]
  /** Its algorithms, decided by its kind and type, never by a token. */
  readonly algorithms: readonly PayloadAlgorithm[]
  /** Thumbprints and validity, for kind `x509`. */
  readonly certificate: Certificate | undefined
  /** The other certificates of its file. They have issued it, and do not count. */
  readonly issuers: readonly Certificate[]
  /**
   * Gives the WebCrypto keys for an algorithm of `algorithms`: one, or several of a key set.
   *
   * @param signal gives up the wait for a key set; its reason is thrown
   * @throws {UnavailableError} when a key set cannot be fetched
   * @throws {PayloadKeyError} when a key set has no fitting key
   */
  materialFor(
    algorithm: PayloadAlgorithm,
    header: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): readonly CryptoKey[] | Promise<readonly CryptoKey[]>
}

/** The part of a source that counts beside its key. */
export type PublicSource = Pick<VerificationKeySource, 'kind' | 'kid' | 'algorithms'>

/** A certificate, and those that issued it. */
export interface CertifiedKey extends ParsedCertificate {
  readonly issuers: readonly Certificate[]
}

/** Makes a key of what was imported for each of its algorithms. */
export function verificationKeyOf(
  { kind, kid }: PublicSource,
  keys: ReadonlyMap<PayloadAlgorithm, CryptoKey>,
  thumbprint?: string,
  certified?: CertifiedKey,
): VerificationKey {
  const materials = new Map(Array.from(keys, ([algorithm, key]) => [algorithm, [key]] as const))
  return {
    kind,
    keyId: givenKeyId(kind, kid, undefined) ?? thumbprint,
    thumbprint,
    certificateDigests: certified?.digests ?? [],
    algorithms: [...keys.keys()],
    certificate: certified?.certificate,
    issuers: certified?.issuers ?? [],
    materialFor: algorithm => {
      const material = materials.get(algorithm)
      if (!material) throw new TypeError(`The key has no algorithm ${algorithm}.`)
      return material
    },
  }
}

export function isKeySet({ kind }: VerificationKey): boolean {
  return kind === 'jwks'
}

/** Every name by which a header's `kid` may mean a key. */
export function namesOfKey({ keyId, thumbprint, certificateDigests }: VerificationKey): readonly string[] {
  return [keyId, thumbprint, ...certificateDigests].filter(name => name !== undefined)
}

/**
 * Whether a `kid` is a certificate's thumbprint in hexadecimal, in either case: so the policy `lenient` compares it. Thumbprints in
 * base64url are compared exactly, because their case counts: two keys would become one.
 */
export function isHexThumbprintOf(key: VerificationKey, kid: string | undefined): boolean {
  if (kid === undefined || !/^(?:[\da-f]{40}|[\da-f]{64})$/i.test(kid)) return false
  return key.certificateDigests.includes(kid.toUpperCase())
}
