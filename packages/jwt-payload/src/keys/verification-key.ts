import type { PayloadAlgorithm } from './algorithms.ts'
import type { Certificate } from './certificate.ts'
import type { VerificationKeyKind } from './key-source.ts'

/** A key that was checked and imported once, to verify any number of tokens. Made by `importVerificationKey`. */
export interface VerificationKey {
  readonly kind: VerificationKeyKind
  /** `kid` that the key was registered with; without one its `thumbprint`. A secret or key set has none by itself. */
  readonly keyId: string | undefined
  /** RFC 7638 thumbprint, by which a header's `kid` may name a public key whatever it was registered as. */
  readonly thumbprint: string | undefined
  /** Digests by which a header may name a certificate as `kid`, `x5t` or `x5t#S256`: hexadecimal and base64url. */
  readonly certificateDigests: readonly string[]
  /** Algorithms that it may be used with; decided by its kind and type, never by a token. */
  readonly algorithms: readonly PayloadAlgorithm[]
  /** Thumbprints and validity, for kind `x509`. */
  readonly certificate: Certificate | undefined
  /**
   * Gives the material for an algorithm of `algorithms`.
   *
   * @param signal gives up the wait for a key set; its reason is thrown
   * @throws {UnavailableError} when a key set cannot be fetched
   * @throws {PayloadKeyError} when a key set has no fitting key
   */
  materialFor(
    algorithm: PayloadAlgorithm,
    header: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): CryptoKey | Promise<CryptoKey | readonly CryptoKey[]>
}

/** Every name by which a header's `kid` may mean a key. */
export function namesOfKey({ keyId, thumbprint, certificateDigests }: VerificationKey): readonly string[] {
  return [keyId, thumbprint, ...certificateDigests].filter(name => name !== undefined)
}
