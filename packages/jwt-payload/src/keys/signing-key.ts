import type { PayloadAlgorithm } from './algorithms.ts'
import type { SigningKeyKind } from './key-source.ts'

/** A key that was checked and imported once, to sign any number of payloads. Made by `importSigningKey`. */
export interface SigningKey {
  readonly kind: SigningKeyKind
  /** Put into the token's header. */
  readonly keyId: string | undefined
  readonly algorithm: PayloadAlgorithm
  readonly material: CryptoKey
}
