import { assertParameter, type ParameterKind } from '@service-link/protocol-core'
import type { JWK } from 'jose'
import type { PayloadAlgorithm } from './algorithms.ts'

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
 * A key that verifies, as a partner registers it (specification 5.1). Never a bare string: the kind says what the text is,
 * so that a public key is never taken for a secret.
 */
export type VerificationKeySource = KeySourceOptions &
  (
    | {
        readonly kind: 'x509'
        /** Certificate, `-----BEGIN CERTIFICATE-----`; of several the first counts. */
        readonly pem: string
      }
    | {
        readonly kind: 'spki'
        /** Public key, `-----BEGIN PUBLIC KEY-----`. */
        readonly pem: string
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

/** Kind of a {@link VerificationKeySource}. */
export type VerificationKeyKind = VerificationKeySource['kind']

interface SigningKeySourceOptions {
  /**
   * Put into the token's header. Default: `kid` of a JWK, else the RFC 7638 thumbprint of the key's public part; none for a
   * secret, whose payloads then need `issuer`.
   */
  readonly kid?: string | undefined
  /** Default: RS256 for RSA, the curve's for EC and Ed25519, HS256 for a secret. */
  readonly algorithm?: PayloadAlgorithm | undefined
}

/** A key that signs (specification 5.1). */
export type SigningKeySource = SigningKeySourceOptions &
  (
    | {
        readonly kind: 'pkcs8'
        /** Private key, `-----BEGIN PRIVATE KEY-----`, not encrypted. */
        readonly pem: string
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

/** Kind of a {@link SigningKeySource}. */
export type SigningKeyKind = SigningKeySource['kind']

/** The member that holds the key, for each kind; what reads a key set's address or a secret tells of those itself. */
const membersOfKind: Readonly<Record<string, Readonly<Record<string, ParameterKind>>>> = {
  x509: { pem: 'text' },
  spki: { pem: 'text' },
  pkcs8: { pem: 'text' },
  jwk: { jwk: 'object' },
}

/**
 * Checks the shape of a source, before anything of it is used.
 *
 * @param parameter under which the public function takes it
 * @throws {ParameterError} when it is of none of the kinds, or a member is of another type
 */
export function assertKeySource(
  parameter: string,
  source: VerificationKeySource | SigningKeySource,
  kinds: readonly (VerificationKeyKind | SigningKeyKind)[],
): void {
  assertParameter(parameter, source, 'object', { kind: kinds, kid: 'text?', algorithms: 'list?' })
  assertParameter(parameter, source, 'object', membersOfKind[source.kind])
}
