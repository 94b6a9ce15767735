import {
  type ArgsIssue,
  type DefineError,
  defineErrorOf,
  ServiceLinkError,
} from '@service-link/protocol-core/errors'
import type { Certificate } from './key-errors.ts'

const title = 'The payload is not accepted'

/**
 * HTTP status and problem's title of each refusal (design: partner link), in the order of the checks. Codes are API: never renamed,
 * never reused. `ERR_LINK_GONE` answers a one-time URL, all others the post. docs/reference/partner-link-refusals.md explains each.
 */
export const refusalFacts = {
  ERR_NOT_NAVIGATED: { status: 400, title: 'Not opened by the user' },
  ERR_METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  ERR_MEDIA_TYPE: { status: 415, title: 'The body is not a form' },
  ERR_PAYLOAD_TOO_LARGE: { status: 413, title: 'The payload is too large' },
  ERR_PAYLOAD_MISSING: { status: 400, title: 'The request cannot be read' },
  ERR_PAYLOAD_MALFORMED: { status: 400, title: 'The request cannot be read' },
  ERR_CROSS_ORIGIN: { status: 403, title: 'Not posted by a form' },
  ERR_PAYLOAD_ALGORITHM: { status: 401, title },
  ERR_PAYLOAD_KEY: { status: 401, title },
  ERR_PAYLOAD_SIGNATURE: { status: 401, title },
  ERR_PARTNER_INACTIVE: { status: 403, title: 'The partner is not active' },
  ERR_PAYLOAD_TIMES: { status: 401, title },
  ERR_PAYLOAD_EXPIRED: { status: 401, title },
  ERR_PAYLOAD_NOT_YET_VALID: { status: 401, title },
  ERR_PAYLOAD_AUDIENCE: { status: 401, title },
  ERR_PAYLOAD_SHAPE: { status: 422, title: 'Claims are not accepted' },
  ERR_END_NOT_ALLOWED: { status: 403, title: 'Ends are not taken' },
  ERR_RATE_LIMITED: { status: 429, title: 'Too many requests' },
  ERR_PAYLOAD_REPLAYED: { status: 401, title },
  ERR_UNAVAILABLE: { status: 503, title: 'The service is not available' },
  ERR_LINK_GONE: { status: 410, title: 'The link is gone' },
} as const

/** Code of a refusal. */
export type RefusalCode = keyof typeof refusalFacts

/** HTTP status of each refusal. */
export const refusalStatus = Object.fromEntries(
  Object.entries(refusalFacts).map(([code, { status }]) => [code, status]),
) as { readonly [Code in RefusalCode]: (typeof refusalFacts)[Code]['status'] }

/** Whether a text is a {@link RefusalCode}. */
export function isRefusalCode(code: unknown): code is RefusalCode {
  return typeof code === 'string' && Object.hasOwn(refusalFacts, code)
}

/** Base of every reason for which a payload is refused; the message is a sentence for the partner's developer. */
export abstract class Refusal<Code extends RefusalCode = RefusalCode> extends ServiceLinkError<Code> {
  /** HTTP status that the receiver answers with. */
  get status(): (typeof refusalFacts)[Code]['status'] {
    return refusalFacts[this.code].status
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
