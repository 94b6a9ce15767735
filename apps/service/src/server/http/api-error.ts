import { type ArgsIssue, ServiceLinkError } from '@service-link/protocol-core/errors'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** HTTP status of each code that an answer of the API has. */
export const apiErrorStatus = {
  ERR_ARGS: 422,
  /**
   * A patient would have no name.
   *
   * @remedy Give the patient a first or a last name.
   * @retry no
   * @seenBy user
   */
  ERR_NAME_MISSING: 422,
  ERR_JSON: 400,
  ERR_NOT_SIGNED_IN: 401,
  /**
   * A page of another origin called the API of the service.
   *
   * @remedy Call the API from the pages of the service alone. Partners use the partner link.
   * @retry no
   * @seenBy partner's developer
   */
  ERR_ORIGIN: 403,
  /**
   * A session that a partner link made may not connect a program or change a link.
   *
   * @remedy Sign in with the password of the account.
   * @retry after the sign-in
   * @seenBy user
   */
  ERR_LOG_IN_NEEDED: 403,
  ERR_NOT_FOUND: 404,
  /**
   * Another account is signed in in this browser now. The page of the former one shows and writes nothing more.
   *
   * @remedy Reload the page.
   * @retry after reloading
   * @seenBy user
   */
  ERR_OTHER_ACCOUNT: 409,
  /**
   * Another person has logged in to the consumer app in this browser.
   *
   * @remedy Reload the page.
   * @retry after reloading
   * @seenBy user
   */
  ERR_OTHER_LOG_IN: 409,
  /**
   * Several persons of the organization have this CustomId.
   *
   * @remedy Let the user choose among the persons, or send `userid`.
   * @retry no
   * @seenBy partner's developer, user
   */
  ERR_AMBIGUOUS_PERSON: 409,
  /**
   * A workout was given too long ago to take it back.
   *
   * @remedy Give another workout. This one stays with the person.
   * @retry no
   * @seenBy user
   */
  ERR_TOO_LATE: 409,
  /**
   * A day that is today nowhere on earth cannot be noted.
   *
   * @remedy Correct the date of the device.
   * @retry after the correction
   * @seenBy user
   */
  ERR_NOT_TODAY: 422,
  /**
   * Somebody else has changed the person since it was loaded.
   *
   * @remedy Compare both versions and save again.
   * @retry after a look
   * @seenBy user
   */
  ERR_CHANGED_MEANWHILE: 409,
  /**
   * The user of the partner application is linked to another account.
   *
   * @remedy Sign in with the account that is linked, or remove the link there.
   * @retry no
   * @seenBy user
   */
  ERR_LINKED_ELSEWHERE: 409,
  ERR_ORGANIZATION_BOUND: 409,
  /**
   * The visit that a partner link began was used before or has waited too long.
   *
   * @remedy Open the patient in the partner application again.
   * @retry from the partner application
   * @seenBy user
   */
  ERR_VISIT_GONE: 410,
  ERR_UNAVAILABLE: 503,
} as const satisfies Record<string, ContentfulStatusCode>

type ApiErrorCode = keyof typeof apiErrorStatus

/** A request that the API refuses. The message never holds a person's data. */
export class ApiError extends ServiceLinkError<ApiErrorCode> {
  readonly code: ApiErrorCode
  readonly issues: readonly ArgsIssue[]

  constructor(code: ApiErrorCode, message: string, issues: readonly ArgsIssue[] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }
}
