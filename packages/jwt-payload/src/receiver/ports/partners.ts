import type { VerificationKey } from '../../keys/verification-key.ts'
import type { PayloadPolicy } from '../../verify/policy.ts'

/** What a token says of its signer before anything of it is trusted. */
export interface PartnerHint {
  /** Header `kid`. */
  readonly keyId: string | undefined
  /** Header `x5t#S256`, else `x5t`: base64url digest of the signing certificate. Only compared, never obeyed. */
  readonly certificateDigest: string | undefined
  /** Claim `iss`. */
  readonly issuer: string | undefined
}

/** A registered partner, with keys imported and ready. */
export interface Partner {
  /** The service's own identifier of the partner; part of every employee's and organization's identity. */
  readonly id: string
  /** What people read. */
  readonly name: string
  /** The only `iss` that this partner's tokens may carry; `undefined`: any, or none. */
  readonly issuer: string | undefined
  readonly policy: PayloadPolicy
  /** A partner that is not active is refused with 403 once its signature was verified. */
  readonly isActive: boolean
  /** Any number, with overlapping validity, so that certificates and secrets can be rotated. */
  readonly keys: readonly VerificationKey[]
}

/** Finds partners. Keys are imported once by `importVerificationKey` and kept by the implementation. */
export interface PartnerDirectory {
  /**
   * Finds the partner that a token names: by `keyId` (or `certificateDigest`), else by `issuer`.
   *
   * @returns `undefined` when none is registered, or when several are and nothing tells them apart
   */
  find(hint: PartnerHint): Promise<Partner | undefined>
}
