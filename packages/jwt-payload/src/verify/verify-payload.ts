import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import {
  type EndClaims,
  type PayloadClaims,
  type Person,
  personFromContact,
} from '@service-link/protocol-core/person'
import { KeyImportError, privateKeyProblem } from '../errors/key-errors.ts'
import { EndNotAllowedError } from '../errors/refusals.ts'
import { assertAddress, assertName } from '../http/receiver-address.ts'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import {
  checkAudience,
  checkClaims,
  checkIssuer,
  checkTimes,
  type PayloadPolicy,
  type PayloadTimes,
} from './check-claims.ts'
import { findSigner, type SignedToken } from './check-signature.ts'
import { readToken, textOf } from './read-token.ts'

/** Options of {@link verifyPayload}. */
export interface VerifyPayloadOptions {
  /** The partner's keys, from `importVerificationKey`; never taken from the token. */
  readonly keys: VerificationKey | readonly VerificationKey[]
  /**
   * Address of the receiver, or several that count as it; compared exactly with `aud`, or each address of a list in it. The first is
   * shown in a refusal.
   */
  readonly audience: string | readonly string[]
  /** The `iss` that the token must carry. Default: any, or none. */
  readonly issuer?: string | undefined
  /** Default `strict`. */
  readonly policy?: PayloadPolicy | undefined
  /** Whether a signed end is taken, too. Default false: it is refused. */
  readonly ends?: boolean | undefined
  /** Default: the machine's clock. */
  readonly clock?: (() => Date) | undefined
  /** Ends the wait for a partner's key set; its reason is thrown. Default: only the set's time-out ends the wait. */
  readonly signal?: AbortSignal | undefined
}

/** What is known of each token that was verified. */
interface VerifiedToken {
  readonly algorithm: PayloadAlgorithm
  /** Header `kid`. */
  readonly keyId: string | undefined
  /** The registered key that it was signed with. */
  readonly key: VerificationKey
  readonly issuer: string | undefined
  readonly times: PayloadTimes
  /** `jti`: present under `strict`. The caller must reject one that it has seen; the receiver does. */
  readonly tokenId: string | undefined
}

/** A payload that was verified. */
export interface VerifiedPayload extends VerifiedToken {
  /** The partner link's claims, others in `extra`; without those of the token itself (`iss`, `aud`, `exp`, …). */
  readonly payload: PayloadClaims
  /** The person in focus. */
  readonly person: Person
}

/** A signed end that was verified: nobody is in focus by it. */
export interface VerifiedEnd extends VerifiedToken {
  /** The employee whose context or session ends, as `payload.end` says. */
  readonly payload: EndClaims
  readonly person?: undefined
}

/**
 * Verifies a signed payload (spec 2.1 and 5.1): form, key, signature, issuer, times, audience, claims, in this order.
 * The receiver, which has a store, also checks that a token is used once.
 *
 * @param token compact JWT
 * @param options the partner's keys, the receiver's address, and what else the token must fulfil
 * @returns the claims, the person in focus and the key, when every check has passed
 * @throws {ParameterError} when `token` is no text, `audience` no address of a receiver, or an option is missing, of another type or
 * not known
 * @throws {KeyImportError} when one of `keys` signs, instead of verifying
 * @throws {PayloadMalformedError} when it is not a compact JWT
 * @throws {PayloadTooLargeError} when it is longer than 64 KiB
 * @throws {PayloadAlgorithmError} when its `alg` is none of ours, or not one of the keys'
 * @throws {PayloadKeyError} when no key fits, its certificate is not valid now, or `iss` is not `issuer`
 * @throws {PayloadSignatureError} when the signature does not fit
 * @throws {PayloadTimesError} when a time claim is no number of seconds; under `strict` also when `iat` or `exp` is missing, or `exp`
 * is not later, or more than 300 s later
 * @throws {PayloadExpiredError} from 60 s after `exp` on, which is a day after `iat` where it is missing
 * @throws {PayloadNotYetValidError} when `iat` or `nbf` lies more than 60 s ahead
 * @throws {PayloadAudienceError} when it is meant for another receiver; under `strict` also when it has no `aud`
 * @throws {PayloadShapeError} when claims are missing or not acceptable; its `issues` name each
 * @throws {EndNotAllowedError} when it is a signed end, and `ends` is not true
 * @throws {UnavailableError} when the partner's key set cannot be fetched
 * @throws the signal's reason, when it aborts while a key set is fetched
 * @example
 * ```ts
 * import { importVerificationKey, verifyPayload } from '@service-link/jwt-payload'
 *
 * const keys = await importVerificationKey({ kind: 'x509', pem: certificatePem })
 * const { person } = await verifyPayload(token, { keys, audience: 'https://sso.example/partner/payload' })
 * ```
 */
export function verifyPayload(
  token: string,
  options: VerifyPayloadOptions & { readonly ends: true },
): Promise<VerifiedPayload | VerifiedEnd>
export function verifyPayload(token: string, options: VerifyPayloadOptions): Promise<VerifiedPayload>
export async function verifyPayload(
  token: string,
  options: VerifyPayloadOptions,
): Promise<VerifiedPayload | VerifiedEnd> {
  assertParameter('options', options, 'closed', verifyOptions)
  const terms = readTerms(options)
  return checkSigned(await findSigner(readToken(token), terms), { ...terms, needsIssuer: true })
}

/** Checks the claims, once the signature fits: reading them costs time. Throws the refusals of the checks that follow it. */
export function checkSigned(
  token: SignedToken,
  terms: Omit<VerificationTerms, 'keys' | 'signal'> & { readonly needsIssuer?: boolean | undefined },
): VerifiedPayload | VerifiedEnd {
  const claims = token.claims()
  checkIssuer(claims, terms.issuer, terms.needsIssuer === true)
  const times = checkTimes(claims, terms)
  checkAudience(claims, terms.audience, terms.policy)
  const { payload, tokenId } = checkClaims(claims, terms.policy)
  const verified = {
    algorithm: token.algorithm,
    keyId: textOf(token.header.kid),
    key: token.key,
    issuer: textOf(claims.iss),
    times,
    tokenId,
  }
  if (payload.contact) return { ...verified, payload, person: personFromContact(payload.contact) }
  assertEndAllowed(payload, terms.ends)
  return { ...verified, payload }
}

/** @throws {EndNotAllowedError} when claims are those of an end, and ends are not allowed */
export function assertEndAllowed(payload: PayloadClaims | EndClaims, ends: boolean): void {
  if (!payload.contact && !ends) throw new EndNotAllowedError()
}

/** Members of {@link VerifyPayloadOptions}. `readTerms` checks those that are `any`. */
export const verifyOptions = {
  keys: 'any',
  audience: 'any',
  issuer: 'any',
  // Written out: a bundler keeps a spread.
  policy: ['strict', 'lenient', undefined],
  ends: 'boolean?',
  clock: 'clock?',
  signal: 'signal?',
} as const

/** Terms that a token is verified under: the options with their defaults. */
export type VerificationTerms = Readonly<ReturnType<typeof readTerms>>

/** @throws {ParameterError} when keys, audience or signal are missing or of another type */
export function readTerms(options: VerifyPayloadOptions) {
  const keys: readonly VerificationKey[] = [options.keys].flat()
  const audience: readonly string[] = [options.audience].flat()
  for (const key of keys) assertVerificationKey('options.keys', key)
  if (audience.length === 0) assertAddress('options.audience', undefined)
  for (const address of audience) assertAddress('options.audience', address)
  assertName('options.issuer', options.issuer)
  return {
    keys,
    audience,
    issuer: options.issuer,
    policy: options.policy ?? 'strict',
    ends: options.ends ?? false,
    now: options.clock?.() ?? new Date(),
    signal: () => options.signal,
  }
}

/** @throws {ParameterError | KeyImportError} when a value is no key from `importVerificationKey` */
export function assertVerificationKey(name: string, key: unknown): void {
  assertParameter(name, key, 'object')
  if ('material' in Object(key)) throw new KeyImportError('', privateKeyProblem)
  const { certificateDigests, algorithms, materialFor } = Object(key)
  if (!(Array.isArray(certificateDigests) && Array.isArray(algorithms) && typeof materialFor === 'function'))
    throw new ParameterError(name, 'a key from importVerificationKey')
}
