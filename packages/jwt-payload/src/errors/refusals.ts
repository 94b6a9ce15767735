import {
  type ArgsIssue,
  type DefineError,
  defineErrorOf,
  docsUrlOf,
  ServiceLinkError,
} from '@service-link/protocol-core/errors'
import type { Certificate } from './key-errors.ts'

/**
 * HTTP status of each refusal (design: partner link), in the order of the checks. Codes are API: never renamed, never reused.
 * `ERR_LINK_GONE` answers a one-time URL, all others the post.
 */
export const refusalStatus = {
  ERR_NOT_NAVIGATED: 400,
  ERR_METHOD_NOT_ALLOWED: 405,
  ERR_MEDIA_TYPE: 415,
  ERR_PAYLOAD_TOO_LARGE: 413,
  ERR_PAYLOAD_MISSING: 400,
  ERR_PAYLOAD_MALFORMED: 400,
  ERR_CROSS_ORIGIN: 403,
  ERR_PAYLOAD_ALGORITHM: 401,
  ERR_PAYLOAD_KEY: 401,
  ERR_PAYLOAD_SIGNATURE: 401,
  ERR_PARTNER_INACTIVE: 403,
  ERR_PAYLOAD_TIMES: 401,
  ERR_PAYLOAD_EXPIRED: 401,
  ERR_PAYLOAD_NOT_YET_VALID: 401,
  ERR_PAYLOAD_AUDIENCE: 401,
  ERR_PAYLOAD_SHAPE: 422,
  ERR_END_NOT_ALLOWED: 403,
  ERR_RATE_LIMITED: 429,
  ERR_PAYLOAD_REPLAYED: 401,
  ERR_UNAVAILABLE: 503,
  ERR_LINK_GONE: 410,
} as const

/** Code of a refusal. */
export type RefusalCode = keyof typeof refusalStatus

/** Whether a text is a {@link RefusalCode}. */
export function isRefusalCode(code: unknown): code is RefusalCode {
  return typeof code === 'string' && Object.hasOwn(refusalStatus, code)
}

/** Base of every reason for which a payload is refused; the message is a sentence for the partner's developer. */
export abstract class Refusal<Code extends RefusalCode = RefusalCode> extends ServiceLinkError<Code> {
  /** HTTP status that the receiver answers with. */
  get status(): (typeof refusalStatus)[Code] {
    return refusalStatus[this.code]
  }

  override get docsUrl(): string {
    return docsUrlOf(this.code)
  }
}

/** Makes the class of a refusal. */
export const defineRefusal: DefineError<Refusal> = defineErrorOf(Refusal)

/**
 * The payload is not a signed JWT in compact form: three base64url parts of JSON objects, without a member twice, `crit`, two
 * fields `payload`, or a body that broke off. A launch takes no signed end.
 *
 * @remedy Send one compact JWS as the library makes it, not escaped by a template, and whole.
 * @retry no
 * @seenBy partner's developer
 */
export class PayloadMalformedError extends defineRefusal('ERR_PAYLOAD_MALFORMED') {}

/**
 * The token, or the body of the post, is longer than the limit of 65,536 bytes.
 *
 * @remedy Send fewer or shorter claims, and no other fields.
 * @retry no
 * @seenBy partner's developer
 */
export class PayloadTooLargeError extends defineRefusal('ERR_PAYLOAD_TOO_LARGE', (limitBytes: number) => ({
  message: `The payload is larger than ${limitBytes} bytes. Send less data.`,
  limitBytes,
})) {}

/**
 * The header’s `alg` is unknown or `none`, or the registered key may not be used with it.
 *
 * @remedy Sign with an algorithm of the registered key, spelled as in the reference. A `kid` of an EC key does not go with
 * RS256.
 * @retry no
 * @seenBy partner's developer
 */
export class PayloadAlgorithmError extends defineRefusal('ERR_PAYLOAD_ALGORITHM') {}

/**
 * No partner or key is registered for `kid` or `iss`, `iss` is another partner’s, the certificate is not valid now, or the key
 * of a key set is weak.
 *
 * @remedy Send `kid` or `iss` as registered, or have the new key registered. Renew a certificate that has expired.
 * @retry no
 * @seenBy partner's developer, operator
 */
export class PayloadKeyError extends defineRefusal(
  'ERR_PAYLOAD_KEY',
  (message: string, certificate?: Certificate) => ({
    message,
    /** The certificate that is not valid, where that is the reason. */
    certificate,
  }),
) {}

/**
 * Another key than the registered one signed the token, or it was changed after the signing.
 *
 * @remedy Sign with the key whose public part (or secret) is registered, and change nothing after the signing.
 * @retry no
 * @seenBy partner's developer
 */
export class PayloadSignatureError extends defineRefusal(
  'ERR_PAYLOAD_SIGNATURE',
  'The signature does not fit. Sign with the key whose public part (or secret) is registered, and change nothing afterwards.',
) {}

/**
 * A required time claim is missing, not a number, or `exp` lies too far after `iat`.
 *
 * @remedy Send `iat` and `exp` as seconds since 1970, at most 300 apart.
 * @retry no
 * @seenBy partner's developer
 */
export class PayloadTimesError extends defineRefusal('ERR_PAYLOAD_TIMES') {}

/**
 * `exp` has passed by 60 seconds; without `exp`, `iat` by a day.
 *
 * @remedy Sign when the user clicks, not when the page is made, and check the clock of the signing server.
 * @retry with a new payload
 * @seenBy partner's developer
 */
export class PayloadExpiredError extends defineRefusal(
  'ERR_PAYLOAD_EXPIRED',
  (expiredForSeconds: number) => ({
    message: `The payload expired ${Math.floor(expiredForSeconds)} s ago. Sign it when it is posted, and check the clock of the signing server.`,
    /** Seconds since `exp`. */
    expiredForSeconds,
  }),
) {}

/**
 * `nbf` or `iat` lies more than 60 seconds in the future.
 *
 * @remedy Check the clock of the signing server.
 * @retry with a new payload
 * @seenBy partner's developer
 */
export class PayloadNotYetValidError extends defineRefusal(
  'ERR_PAYLOAD_NOT_YET_VALID',
  (claim: 'iat' | 'nbf', validInSeconds: number) => ({
    message: `The claim ${claim} lies ${Math.ceil(validInSeconds)} s in the future. Check the clock of the signing server.`,
    /** Seconds until the token is valid. */
    validInSeconds,
  }),
) {}

/**
 * `aud` is missing where it is required, or names another receiver.
 *
 * @remedy Send in `aud` the address that is posted to, letter by letter; `detail` shows it.
 * @retry no
 * @seenBy partner's developer
 */
export class PayloadAudienceError extends defineRefusal('ERR_PAYLOAD_AUDIENCE') {}

/**
 * Claims, `jti` among them, are missing or not acceptable.
 *
 * @remedy Send the claims as in the reference: `issues` names each path that is wrong.
 * @retry no
 * @seenBy partner's developer
 */
export class PayloadShapeError extends defineRefusal('ERR_PAYLOAD_SHAPE', (issues: readonly ArgsIssue[]) => ({
  message: `Claims not accepted: ${issues.map(({ path, problem }) => (path ? `${path} ${problem}` : problem)).join('; ')}.`,
  /** Each wrong path with its problem; never a value. */
  issues,
})) {}

/**
 * The service, its database, or the partner’s key set that it needs cannot be reached at the moment. The payload may have been
 * taken.
 *
 * @remedy Wait for the seconds of the header `Retry-After`. Operators look at the log: it has the cause under the request’s id.
 * @retry wait, then with a new payload: it finds the same person
 * @seenBy partner's developer, operator
 */
export class UnavailableError extends defineRefusal('ERR_UNAVAILABLE') {}

/**
 * The signature is right, but the service has switched the partner off.
 *
 * @remedy Ask the service to activate the partner.
 * @retry no
 * @seenBy partner's developer, operator
 */
export class PartnerInactiveError extends defineRefusal(
  'ERR_PARTNER_INACTIVE',
  'This partner is not active. Ask the service to activate it.',
) {}

/**
 * The payload is a signed end, and the registration does not allow these (`ends`).
 *
 * @remedy Have `ends` registered, or send a contact instead of an end.
 * @retry no
 * @seenBy partner's developer
 */
export class EndNotAllowedError extends defineRefusal(
  'ERR_END_NOT_ALLOWED',
  'This partner may not end contexts. Have ends registered, or leave the claim end out.',
) {}
