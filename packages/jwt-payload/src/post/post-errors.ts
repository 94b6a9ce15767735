import { ServiceLinkError } from '@service-link/protocol-core/errors'
import type { RefusalCode } from '../errors/refusals.ts'

/** An option of `renderPayloadForm`, `submitPayload` or `postPayload` is wrong. */
export class PostOptionError extends ServiceLinkError<'ERR_POST_OPTION'> {
  readonly code = 'ERR_POST_OPTION'
  readonly shouldRetry = false
}

/** Statuses that invite a later retry. */
const passingStatuses = [429, 502, 503, 504]

/** The service refused the payload; `refusalCode` says why. */
export class PostRefusedError extends ServiceLinkError<'ERR_POST_REFUSED'> {
  readonly code = 'ERR_POST_REFUSED'
  /** HTTP status. */
  readonly status: number
  /** Code of the refusal; `undefined` if something other than the receiver answered, such as a proxy. */
  readonly refusalCode: RefusalCode | undefined
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined
  /** How long the service asks to wait, in seconds. */
  readonly retryAfterSeconds: number | undefined
  /** Whether a new payload, signed after `retryAfterSeconds`, may be taken: 429 and 503, and a proxy's 502 and 504. */
  readonly shouldRetry: boolean

  constructor(
    facts: Pick<PostRefusedError, 'status' | 'refusalCode' | 'requestId' | 'retryAfterSeconds'> & {
      detail?: string
    },
  ) {
    const { status, refusalCode, requestId, retryAfterSeconds, detail } = facts
    const id = requestId ? ` Request ${requestId}.` : ''
    super(
      `The service answered ${status}${refusalCode ? ` ${refusalCode}` : ''}${detail ? `: ${detail}` : '.'}${id}`,
    )
    this.status = status
    this.refusalCode = refusalCode
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.shouldRetry = passingStatuses.includes(status)
  }
}

/** The service did not answer in time, and may have taken the payload. Sign a new one. */
export class PostTimeoutError extends ServiceLinkError<'ERR_POST_TIMEOUT'> {
  readonly code = 'ERR_POST_TIMEOUT'
  /** With a new payload. */
  readonly shouldRetry = true
  /** The time-out, in milliseconds. */
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(`The service did not answer within ${waitedMs} ms. Sign a new payload and post it again.`)
    this.waitedMs = waitedMs
  }
}

/** No connection, or it broke. */
export class PostUnreachableError extends ServiceLinkError<'ERR_POST_UNREACHABLE'> {
  readonly code = 'ERR_POST_UNREACHABLE'
  /** With a new payload. */
  readonly shouldRetry = true
}

/** Something other than a receiver of the partner link answered. */
export class PostReplyError extends ServiceLinkError<'ERR_POST_REPLY'> {
  readonly code = 'ERR_POST_REPLY'
  readonly shouldRetry = false
}
