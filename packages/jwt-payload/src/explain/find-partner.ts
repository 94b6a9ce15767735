import { namesOfKey, type VerificationKey } from '../keys/verification-key.ts'
import type { UnverifiedToken } from '../verify/read-token.ts'

/** Longest name or issuer that the service looks for, in characters. */
const maxNameLength = 1024

/** What is known of one partner’s registration. */
export interface KnownRegistration {
  readonly keys: readonly VerificationKey[]
  /** The registered `iss`. */
  readonly issuer: string | undefined
  /** Whether that is all of it, so that no `issuer` means that none is registered. */
  readonly isWhole: boolean
}

/** What the service finds the partner by; `unknown`: by `iss`, if that is registered; `nothing`: it refuses. */
export type PartnerFound = 'kid' | 'x5t' | 'iss' | 'unknown' | 'nothing'

/**
 * What a service with several partners finds this one by: a key that `kid` (or a certificate’s digest) names, else `iss`. The
 * keys of a published set name nobody: the service does not look into it before it knows whose it is.
 *
 * @throws {PayloadMalformedError} when `iss` is needed and the claims cannot be read
 */
export function findPartner({ header, claims }: UnverifiedToken, known: KnownRegistration): PartnerFound {
  const names = known.keys.flatMap(namesOfKey)
  const kid = nameOf(header.kid)
  if (kid !== undefined && names.includes(kid)) return 'kid'
  const digest = nameOf(header['x5t#S256']) ?? nameOf(header.x5t)
  if (digest !== undefined && names.includes(digest)) return 'x5t'
  const iss = nameOf(claims().iss)
  if (!iss) return 'nothing'
  if (known.issuer === undefined) return known.isWhole ? 'nothing' : 'unknown'
  return iss === known.issuer ? 'iss' : 'nothing'
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxNameLength ? value : undefined
}
