import { assertParameter, type Payload, type Person, personFromContact } from '@service-link/protocol-core'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import type { PayloadTimes } from './check-times.ts'
import { found, payloadChecks, type Verification } from './payload-checks.ts'
import type { PayloadPolicy } from './policy.ts'
import { readToken, type UnverifiedToken } from './read-token.ts'

/** Difference of clocks that is tolerated, in seconds. */
export const defaultToleranceSeconds = 60

/** Options of {@link verifyPayload}. */
export interface VerifyPayloadOptions {
  /** The partner's keys, from `importVerificationKey`; never taken from the token. */
  readonly keys: VerificationKey | readonly VerificationKey[]
  /** Address of the receiver, or several that count as it; compared exactly with `aud`; the first is shown in a refusal. */
  readonly audience: string | readonly string[]
  /** The only `iss` that the token may carry. Default: any, or none. */
  readonly issuer?: string | undefined
  /** Default `strict`. */
  readonly policy?: PayloadPolicy
  /** Difference of clocks that is tolerated, in seconds. Default 60. */
  readonly toleranceSeconds?: number
  /** Default: the machine's clock. */
  readonly clock?: () => Date
  /** Gives up the wait for a partner's key set, the only one there is; its reason is thrown. Default: the set's own time-out. */
  readonly signal?: AbortSignal | undefined
}

/** A token that was verified. */
export interface VerifiedPayload {
  /** The partner link's claims, unknown ones included; without those of the token itself (`iss`, `aud`, `exp`, …). */
  readonly payload: Payload
  /** The person in focus. */
  readonly person: Person
  readonly algorithm: PayloadAlgorithm
  /** Header `kid`. */
  readonly keyId: string | undefined
  /** The registered key that it was signed with. */
  readonly key: VerificationKey
  readonly issuer: string | undefined
  readonly times: PayloadTimes
  /** `jti`: present under `strict`. That it is used once is the caller's to see to; the receiver does. */
  readonly tokenId: string | undefined
}

/**
 * Verifies a signed payload (specification 2.1 and 5.1): form, key, signature, times, audience, claims, in this order.
 * Whether it was used before is not checked here: that takes a store, which the receiver has.
 *
 * @param token compact JWT
 * @throws {ParameterError} when `token` is no text, or an option is missing or of another type
 * @throws {PayloadMalformedError} when it is not a compact JWT
 * @throws {PayloadTooLargeError} when it is longer than 64 KiB
 * @throws {PayloadAlgorithmError} when its `alg` is none of ours, or not one of the keys'
 * @throws {PayloadKeyError} when no key fits, or its certificate is not valid now
 * @throws {PayloadSignatureError} when the signature does not fit
 * @throws {PayloadTimesError | PayloadExpiredError | PayloadNotYetValidError} for its time claims
 * @throws {PayloadAudienceError} when it is meant for another receiver
 * @throws {PayloadShapeError} when claims are missing or not acceptable
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
export async function verifyPayload(token: string, options: VerifyPayloadOptions): Promise<VerifiedPayload> {
  return verifyToken(readToken(token), options)
}

/** {@link verifyPayload} for a token that was taken apart already. */
export async function verifyToken(
  token: UnverifiedToken,
  options: VerifyPayloadOptions & {
    /** Called once the signature is known to be the partner's and the claims can be read; may throw a refusal. */
    readonly onSigned?: () => void
  },
): Promise<VerifiedPayload> {
  const verification = beginVerification(token, options)
  for (const { name, run } of payloadChecks) {
    const pending = run(verification)
    if (pending) await pending
    if (name === 'json') options.onSigned?.()
  }
  const { payload, tokenId } = found(verification.checked)
  return {
    payload,
    person: personFromContact(payload.contact),
    algorithm: found(verification.algorithm),
    keyId: textOf(token.header.kid),
    key: found(verification.key),
    issuer: textOf(found(verification.claims).iss),
    times: found(verification.times),
    tokenId,
  }
}

const verifyOptions = {
  issuer: 'text?',
  policy: ['strict', 'lenient', undefined],
  toleranceSeconds: 'number?',
  clock: 'function?',
} as const

/** A key from `importVerificationKey`, as far as it is used. */
const keyMembers = { certificateDigests: 'list', algorithms: 'list', materialFor: 'function' } as const

/**
 * Takes the options, with their defaults, before the first check of {@link payloadChecks}.
 *
 * @throws {ParameterError} when one is missing or of another type
 */
export function beginVerification(token: UnverifiedToken, options: VerifyPayloadOptions): Verification {
  assertParameter('options', options, 'object', verifyOptions)
  for (const key of listOf(options.keys)) assertParameter('options.keys', key, 'object', keyMembers)
  for (const address of listOf(options.audience)) assertParameter('options.audience', address, 'text')
  assertParameter('options.signal', options.signal, 'object?', { throwIfAborted: 'function' })
  return {
    token,
    keys: listOf(options.keys),
    audience: listOf(options.audience),
    issuer: options.issuer,
    policy: options.policy ?? 'strict',
    toleranceSeconds: options.toleranceSeconds ?? defaultToleranceSeconds,
    now: options.clock?.() ?? new Date(),
    signal: options.signal,
    algorithm: undefined,
    chosen: undefined,
    claims: undefined,
    key: undefined,
    times: undefined,
    checked: undefined,
  }
}

/** One value, or several, as a list. */
export function listOf<Value>(value: Value | readonly Value[]): readonly Value[] {
  return isList(value) ? value : [value]
}

function isList<Value>(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
