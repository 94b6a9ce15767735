/**
 * Status of each refusal on the wire (design: partner link). Codes are API: never renamed, never reused.
 * `ERR_LINK_GONE` answers a one-time URL, all others the post.
 */
export const refusalStatus = {
  ERR_NOT_NAVIGATED: 400,
  ERR_PAYLOAD_MISSING: 400,
  ERR_PAYLOAD_MALFORMED: 400,
  ERR_PAYLOAD_ALGORITHM: 401,
  ERR_PAYLOAD_KEY: 401,
  ERR_PAYLOAD_SIGNATURE: 401,
  ERR_PAYLOAD_TIMES: 401,
  ERR_PAYLOAD_EXPIRED: 401,
  ERR_PAYLOAD_NOT_YET_VALID: 401,
  ERR_PAYLOAD_AUDIENCE: 401,
  ERR_PAYLOAD_REPLAYED: 401,
  ERR_PARTNER_INACTIVE: 403,
  ERR_METHOD_NOT_ALLOWED: 405,
  ERR_LINK_GONE: 410,
  ERR_PAYLOAD_TOO_LARGE: 413,
  ERR_MEDIA_TYPE: 415,
  ERR_PAYLOAD_SHAPE: 422,
  ERR_RATE_LIMITED: 429,
  ERR_UNAVAILABLE: 503,
} as const

/** Code of a refusal. */
export type RefusalCode = keyof typeof refusalStatus

/** Whether a text is a {@link RefusalCode}. */
export function isRefusalCode(code: unknown): code is RefusalCode {
  return typeof code === 'string' && Object.hasOwn(refusalStatus, code)
}
