import type { CompactJWSHeaderParameters, FlattenedJWSInput } from 'jose'
import type { PayloadAlgorithm } from './algorithms.ts'
import type { Certificate } from './certificate.ts'
import type { VerificationKeyKind } from './key-source.ts'

/** Key material that one algorithm verifies with. */
export type KeyMaterial = CryptoKey | Uint8Array

/** A key that was checked and imported once, to verify any number of tokens. Made by `importVerificationKey`. */
export interface VerificationKey {
  readonly kind: VerificationKeyKind
  /** `kid` that the key was registered with. */
  readonly keyId: string | undefined
  /** Algorithms that it may be used with; decided by its kind and type, never by a token. */
  readonly algorithms: readonly PayloadAlgorithm[]
  /** Thumbprints and validity, for kind `x509`. */
  readonly certificate: Certificate | undefined
  /**
   * Gives the material for an algorithm of `algorithms`.
   *
   * @throws {UnavailableError} when a key set cannot be fetched
   * @throws {PayloadKeyError} when a key set has no fitting key
   */
  materialFor(
    algorithm: PayloadAlgorithm,
    header: CompactJWSHeaderParameters,
    jws: FlattenedJWSInput,
  ): KeyMaterial | Promise<KeyMaterial | readonly KeyMaterial[]>
}
