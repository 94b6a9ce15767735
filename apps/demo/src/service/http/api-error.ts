import { type ArgsIssue, ServiceLinkError } from '@service-link/protocol-core/errors'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** Every code that the service's API answers with, and the status it goes with. */
export const apiErrorStatus = {
  ERR_ARGS: 422,
  ERR_JSON: 400,
  ERR_NOT_SIGNED_IN: 401,
  ERR_ORIGIN: 403,
  ERR_LOG_IN_NEEDED: 403,
  ERR_NOT_FOUND: 404,
  ERR_OTHER_ACCOUNT: 409,
  ERR_OTHER_LOG_IN: 409,
  ERR_AMBIGUOUS_PERSON: 409,
  ERR_LINKED_ELSEWHERE: 409,
  ERR_ORGANIZATION_BOUND: 409,
  ERR_VISIT_GONE: 410,
  ERR_UNAVAILABLE: 503,
} as const satisfies Record<string, ContentfulStatusCode>

export type ApiErrorCode = keyof typeof apiErrorStatus

/** A request that the API refuses. The message never holds a person's data. */
export class ApiError extends ServiceLinkError<ApiErrorCode> {
  readonly code: ApiErrorCode
  readonly issues: readonly ArgsIssue[]
  /** Service user ids to choose from, where several persons fit and the user may be asked. */
  readonly candidateIds: readonly number[]

  constructor(
    code: ApiErrorCode,
    message: string,
    details: { issues?: readonly ArgsIssue[]; candidateIds?: readonly number[] } = {},
  ) {
    super(message)
    this.code = code
    this.issues = details.issues ?? []
    this.candidateIds = details.candidateIds ?? []
  }
}
