import {
  type ArgsIssue,
  type DefineError,
  defineErrorOf,
  ServiceLinkError,
} from '@service-link/protocol-core/errors'
import type { Certificate } from './key-errors.ts'

/**
 * HTTP status of each refusal (design: partner link), in the order of the checks. Codes are API: never renamed, never reused.
 * `ERR_LINK_GONE` answers a one-time URL, all others the post. docs/reference/partner-link-refusals.md explains each.
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
}

/** Makes the class of a refusal. */
export const defineRefusal: DefineError<Refusal> = defineErrorOf(Refusal)

/** The token is not a signed JWT in compact form, or its header or claims are malformed. */
export class PayloadMalformedError extends defineRefusal('ERR_PAYLOAD_MALFORMED') {}

/** The token is longer than the limit. */
export class PayloadTooLargeError extends defineRefusal('ERR_PAYLOAD_TOO_LARGE', (limitBytes: number) => ({
  message: `The payload is larger than ${limitBytes} bytes. Send less data.`,
  limitBytes,
})) {}

/** The registered key may not be used with the header's algorithm. */
export class PayloadAlgorithmError extends defineRefusal('ERR_PAYLOAD_ALGORITHM') {}

/** No registered key fits the token, or the fitting certificate is not valid now. */
export class PayloadKeyError extends defineRefusal(
  'ERR_PAYLOAD_KEY',
  (message: string, certificate?: Certificate) => ({
    message,
    /** The certificate that is not valid, where that is the reason. */
    certificate,
  }),
) {}

/** The signature does not belong to the registered key and these contents. */
export class PayloadSignatureError extends defineRefusal(
  'ERR_PAYLOAD_SIGNATURE',
  'The signature does not fit. Sign with the key whose public part (or secret) is registered, and change nothing afterwards.',
) {}

/** A required time claim is missing, not a number, or `exp` lies too far after `iat`. */
export class PayloadTimesError extends defineRefusal('ERR_PAYLOAD_TIMES') {}

/** `exp` has passed. */
export class PayloadExpiredError extends defineRefusal(
  'ERR_PAYLOAD_EXPIRED',
  (expiredForSeconds: number) => ({
    message: `The payload expired ${Math.floor(expiredForSeconds)} s ago. Sign it when it is posted, and check the clock of the signing server.`,
    /** Seconds since `exp`. */
    expiredForSeconds,
  }),
) {}

/** `nbf` or `iat` lies in the future. */
export class PayloadNotYetValidError extends defineRefusal(
  'ERR_PAYLOAD_NOT_YET_VALID',
  (claim: 'iat' | 'nbf', validInSeconds: number) => ({
    message: `The claim ${claim} lies ${Math.ceil(validInSeconds)} s in the future. Check the clock of the signing server.`,
    /** Seconds until the token is valid. */
    validInSeconds,
  }),
) {}

/** `aud` is missing where it is required, or names another receiver. */
export class PayloadAudienceError extends defineRefusal('ERR_PAYLOAD_AUDIENCE') {}

/** Claims are missing or not acceptable. */
export class PayloadShapeError extends defineRefusal('ERR_PAYLOAD_SHAPE', (issues: readonly ArgsIssue[]) => ({
  message: `Claims not accepted: ${issues.map(({ path, problem }) => (path ? `${path} ${problem}` : problem)).join('; ')}.`,
  /** Each wrong path with its problem; never a value. */
  issues,
})) {}

/** The service, or the partner's key set that it needs, cannot be reached at the moment. Worth a retry. */
export class UnavailableError extends defineRefusal('ERR_UNAVAILABLE') {}

/** The partner is registered, and not active. */
export class PartnerInactiveError extends defineRefusal(
  'ERR_PARTNER_INACTIVE',
  'This partner is not active. Ask the service to activate it.',
) {}

/** The payload is a signed end, and the registration does not allow these (`ends`). */
export class EndNotAllowedError extends defineRefusal(
  'ERR_END_NOT_ALLOWED',
  'This partner may not end contexts. Have ends registered, or leave the claim end out.',
) {}
