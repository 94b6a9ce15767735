import type { PayloadAlgorithm } from './algorithms.ts'
import type { SigningKeyKind } from './key-source.ts'

/** A key that was checked and imported once, to sign any number of payloads. Made by `importSigningKey`. */
export interface SigningKey {
  readonly kind: SigningKeyKind
  /** Put into the token's header as `kid`: what was given, else the `thumbprint`. */
  readonly keyId: string | undefined
  /** RFC 7638 thumbprint of its public part; a secret has none. */
  readonly thumbprint: string | undefined
  readonly algorithm: PayloadAlgorithm
  readonly material: CryptoKey
}
