import { ServiceLinkError } from '@service-link/protocol-core/errors'
import type { RefusalCode } from '../errors/refusals.ts'

/** An option of `renderPayloadForm`, `submitPayload` or `postPayload` that cannot be right. */
export class PostOptionError extends ServiceLinkError<'ERR_POST_OPTION'> {
  readonly code = 'ERR_POST_OPTION'
  readonly shouldRetry = false
}

/** Statuses with which the service, or a proxy before it, asks for patience. */
const passingStatuses = [429, 502, 503, 504]

/** The service refused the payload; `refusalCode` says why. */
export class PostRefusedError extends ServiceLinkError<'ERR_POST_REFUSED'> {
  readonly code = 'ERR_POST_REFUSED'
  /** HTTP status. */
  readonly status: number
  /** Code of the refusal; `undefined` when something other than the receiver answered, such as a proxy. */
  readonly refusalCode: RefusalCode | undefined
  /** Id under which the service has logged the request. */
  readonly requestId: string | undefined
  /** When the service asks to wait, in seconds. */
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

/** The service did not answer in time. Whether it took the payload is not known; sign a new one. */
export class PostTimeoutError extends ServiceLinkError<'ERR_POST_TIMEOUT'> {
  readonly code = 'ERR_POST_TIMEOUT'
  /** With a new payload. */
  readonly shouldRetry = true
  /** How long was waited, in milliseconds. */
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

/** What answered is not a receiver of the partner link. */
export class PostReplyError extends ServiceLinkError<'ERR_POST_REPLY'> {
  readonly code = 'ERR_POST_REPLY'
  readonly shouldRetry = false
}
