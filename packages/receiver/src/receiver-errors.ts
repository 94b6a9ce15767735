import { defineRefusal, Refusal } from '@service-link/jwt-payload/steps'
import { assertMeasure, defineError } from '@service-link/protocol-core/errors'

const sentences = {
  /**
   * An image of a page, or a script that cannot read the answer, sent the request.
   *
   * @remedy Submit a form, or send the payload from a server. Open a one-time URL in a window.
   * @retry no
   * @seenBy partner's developer
   */
  ERR_NOT_NAVIGATED:
    'A page’s script cannot post here. Submit a form, which opens a page, or send it from a server.',
  /**
   * A script of an origin that is not registered sent the payload.
   *
   * @remedy Submit a form, or have the origin registered (`scriptOrigins`).
   * @retry no
   * @seenBy partner's developer
   */
  ERR_CROSS_ORIGIN:
    'A script of another origin cannot post here. Submit a form, which opens a page, or have the page’s origin registered (scriptOrigins).',
  /**
   * The body is not `application/x-www-form-urlencoded`, or it is compressed.
   *
   * @remedy Send a form, as a browser does, without `Content-Encoding`.
   * @retry no
   * @seenBy partner's developer
   */
  ERR_MEDIA_TYPE:
    'The body must be a form: Content-Type application/x-www-form-urlencoded, without an encoding.',
  /**
   * The form has no field `payload`, or an empty one.
   *
   * @remedy Put the signed JWT into a field of the name `payload`, in lower case.
   * @retry no
   * @seenBy partner's developer
   */
  ERR_PAYLOAD_MISSING: 'The form has no field named payload with a value. Put the signed JWT into it.',
  /**
   * The token, or its `jti`, was used before.
   *
   * @remedy Sign a new payload, with a `jti` of its own, for each post.
   * @retry with a new payload
   * @seenBy partner's developer
   */
  ERR_PAYLOAD_REPLAYED: 'This payload was used before. Sign a new one, with a jti of its own, for each post.',
  /**
   * The one-time URL was opened before, is older than 60 seconds, or never existed.
   *
   * @remedy Open the one-time URL at once, in the user’s browser, and let nothing else fetch it.
   * @retry with a new payload
   * @seenBy partner's developer, user
   */
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

/**
 * The address does not take this method; the header `Allow` names the one that it takes.
 *
 * @remedy Post the form. A one-time URL is opened with GET.
 * @retry no
 * @seenBy partner's developer
 */
export class MethodNotAllowedError extends defineRefusal(
  'ERR_METHOD_NOT_ALLOWED',
  (allowed: 'POST' | 'GET') => ({
    message: `This address takes ${allowed} only.`,
    allowed,
  }),
) {}

/**
 * More posts in this minute than agreed, or too many refused ones from this address.
 *
 * `retryAfterSeconds` is a whole number, else the constructor throws `ParameterError`.
 *
 * @remedy Wait for the seconds of the header `Retry-After`. Agree on more posts a minute with the service.
 * @retry wait, then with a new payload
 * @seenBy partner's developer, operator
 */
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

/**
 * The payload that waited for the log-in was used before, has expired or never existed, or its partner is inactive.
 *
 * @remedy Open the service from the partner application again.
 * @retry from the partner application
 * @seenBy user
 */
export class PendingGoneError extends defineError(
  'ERR_PENDING_GONE',
  'The payload that waited for this log-in was used before or has expired. Open the service from the partner application again.',
) {}

/**
 * The employee was linked to another account during the log-in. Nothing took effect.
 *
 * @remedy Log in with the account that is linked, or have the link removed.
 * @retry no
 * @seenBy user, operator
 */
export class EmployeeLinkedError extends defineError(
  'ERR_EMPLOYEE_LINKED',
  'This user of the partner application is linked to another account. Log in with that one, or have the link removed.',
) {}

/**
 * The partner's organization is bound to another organization of the service than the account's. Nothing took effect.
 *
 * @remedy Ask the service to allow your organization.
 * @retry once the service allows it
 * @seenBy user, operator
 */
export class OrganizationBoundError extends defineError(
  'ERR_ORGANIZATION_BOUND',
  'This organization of the partner application belongs to another organization here. Ask the service to allow yours.',
) {}

/**
 * The account has no link of that id.
 *
 * @remedy Load the list of links again: this one was removed.
 * @retry no
 * @seenBy user, operator
 */
export class LinkNotFoundError extends defineError(
  'ERR_LINK_NOT_FOUND',
  'The account has no such link to a user of a partner application.',
) {}

/**
 * An option of the receiver, a partner's registration or an account's id is wrong, or a part of the service gave something else
 * than it must: then it is the `cause` of an `ERR_UNAVAILABLE`. Names paths, never values.
 *
 * @remedy Correct the path that the message names.
 * @retry no
 * @seenBy operator
 */
export class ReceiverOptionError extends defineError('ERR_RECEIVER_OPTION') {}

/** The cause of an `ERR_UNAVAILABLE`: a wrong answer of a part of the service could let a token in twice, or send no policy. */
export const wrongAnswer = (part: string, what: string) =>
  new ReceiverOptionError(`${part} must give ${what}.`)
