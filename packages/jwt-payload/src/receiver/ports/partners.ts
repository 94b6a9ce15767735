import type { VerificationKey } from '../../keys/verification-key.ts'
import type { PayloadPolicy } from '../../verify/check-claims.ts'

/** What a token says of its signer before anything of it is trusted. */
export interface PartnerHint {
  /** Header `kid`. */
  readonly keyId: string | undefined
  /** Header `x5t#S256`, else `x5t`: base64url digest of the signing certificate. Only compared, never obeyed. */
  readonly certificateDigest: string | undefined
  /**
   * Claim `iss`. Ask for it where nothing else names the partner: it is read from the claims then, before their signature fits.
   * Throws a refusal for claims that cannot be read.
   */
  readonly issuer: string | undefined
}

/** How the web app looks to those who come from a partner. */
export interface PartnerAppearance {
  /** What people read in place of the registered name; at most 256 characters. */
  readonly displayName?: string
  /** An https URL of at most 2,048 characters, or a `data:` URL of a PNG, SVG, JPEG or WebP of at most 65,536. */
  readonly logoUrl?: string
  /** `#rrggbb` */
  readonly color?: string
  /** Name of the view to begin with, such as `workouts`; lower-case letters, digits and hyphens. The web app knows it. */
  readonly landingView?: string
}

/** What the page is told of a partner. */
export interface ShownPartner {
  readonly id: string
  readonly name: string
  readonly appearance: PartnerAppearance
}

/** What goes with a delivery of a partner's. */
export interface DeliveryPartner extends ShownPartner {
  /** See {@link Partner}. */
  readonly frameOrigins: readonly string[]
}

/** A registered partner, with keys imported and ready. */
export interface Partner extends DeliveryPartner {
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
  /** What a post gets whose `Accept` prefers neither HTML nor JSON. */
  readonly answer: 'page' | 'link'
  /** Origins whose pages may show the answer in a frame; none: it is never framed. */
  readonly frameOrigins: readonly string[]
  /** Posts that are let through in a minute. */
  readonly maxPostsPerMinute: number
  /** Whether its `contact.id` is the person's national identity number and counts as `contact.ssn` where there is none. */
  readonly contactIdIsSsn: boolean
}

/** Finds partners. Keys are imported once by `importVerificationKey` and kept by the implementation. */
export interface PartnerDirectory {
  /**
   * Finds the partner that a token names: by `keyId` (or `certificateDigest`), else by `issuer`.
   *
   * @returns `undefined` when none is registered, or when several are and nothing tells them apart
   */
  find(hint: PartnerHint): Promise<Partner | undefined>
  /**
   * The partner of an id as it is registered now. Asked inside a transaction, for a delivery that has waited: it should not
   * need a connection of its own.
   *
   * @returns `undefined` for one that is not registered, or not any more
   */
  get(partnerId: string): Promise<Partner | undefined>
}
