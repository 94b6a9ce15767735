import { defineRefusal, Refusal } from '@service-link/jwt-payload/steps'
import { assertMeasure, defineError } from '@service-link/protocol-core/errors'

const sentences = {
  ERR_NOT_NAVIGATED:
    'A page’s script cannot post here. Submit a form, which opens a page, or send it from a server.',
  ERR_CROSS_ORIGIN:
    'A script of another origin cannot post here. Submit a form, which opens a page, or have the page’s origin registered (scriptOrigins).',
  ERR_MEDIA_TYPE:
    'The body must be a form: Content-Type application/x-www-form-urlencoded, without an encoding.',
  ERR_PAYLOAD_MISSING: 'The form has no field named payload with a value. Put the signed JWT into it.',
  ERR_PAYLOAD_REPLAYED: 'This payload was used before. Sign a new one, with a jti of its own, for each post.',
  ERR_LINK_GONE:
    'This link was used before or has expired. Go back to your application and open the service from there again.',
} as const

/** A refusal by the receiver, whose checks surround those of the token. */
export class ReceiverRefusal extends Refusal<keyof typeof sentences> {
  readonly code: keyof typeof sentences

  constructor(code: keyof typeof sentences) {
    super(sentences[code])
    this.code = code
  }
}

/** The address does not take this method. */
export class MethodNotAllowedError extends defineRefusal(
  'ERR_METHOD_NOT_ALLOWED',
  (allowed: 'POST' | 'GET') => ({
    message: `This address takes ${allowed} only.`,
    allowed,
  }),
) {}

/** Too many requests. Worth a retry after `retryAfterSeconds`, a whole number. Else the constructor throws `ParameterError`. */
export class RateLimitedError extends defineRefusal(
  'ERR_RATE_LIMITED',
  // `what` is the first sentence.
  (retryAfterSeconds: number, what: string = 'Too many payloads of this partner were posted.') => {
    assertMeasure('retryAfterSeconds', retryAfterSeconds, {
      what: 'a whole number of seconds',
      isWhole: true,
    })
    return {
      message: `${what} Send the next one in ${retryAfterSeconds} s.`,
      /** Whole seconds, as in the header `Retry-After`. */
      retryAfterSeconds,
    }
  },
) {}

/** The payload that waited for the log-in was used before, has expired or never existed, or its partner is inactive. */
export class PendingGoneError extends defineError(
  'ERR_PENDING_GONE',
  'The payload that waited for this log-in was used before or has expired. Open the service from the partner application again.',
) {}

/** The employee was linked to another account during the log-in. Nothing took effect. */
export class EmployeeLinkedError extends defineError(
  'ERR_EMPLOYEE_LINKED',
  'This user of the partner application is linked to another account. Log in with that one, or have the link removed.',
) {}

/** The partner's organization is bound to another organization of the service than the account's. Nothing took effect. */
export class OrganizationBoundError extends defineError(
  'ERR_ORGANIZATION_BOUND',
  'This organization of the partner application belongs to another organization here. Ask the service to allow yours.',
) {}

/** The account has no link of that id. */
export class LinkNotFoundError extends defineError(
  'ERR_LINK_NOT_FOUND',
  'The account has no such link to a user of a partner application.',
) {}

/**
 * An option of the receiver, a partner's registration or an account's id is wrong, or a part of the service gave something else than it
 * must. Names paths, never values.
 */
export class ReceiverOptionError extends defineError('ERR_RECEIVER_OPTION') {}

/** The cause of an `ERR_UNAVAILABLE`: a wrong answer of a part of the service could let a token in twice, or send no policy. */
export const wrongAnswer = (part: string, what: string) =>
  new ReceiverOptionError(`${part} must give ${what}.`)
