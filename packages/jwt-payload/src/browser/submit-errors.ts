import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** The browser opened no tab: nothing that the user did caused the call, or a blocker is at work. */
export class SubmitBlockedError extends ServiceLinkError<'ERR_SUBMIT_BLOCKED'> {
  readonly code = 'ERR_SUBMIT_BLOCKED'

  constructor() {
    super(
      'The browser opened no tab. Call submitPayload in the handler of a click, before anything is awaited there, and give it the promise of the token.',
    )
  }
}

/** The promise of the token rejected, or gave something else than a compact JWT. The tab was closed. */
export class SubmitTokenError extends ServiceLinkError<'ERR_SUBMIT_TOKEN'> {
  readonly code = 'ERR_SUBMIT_TOKEN'

  constructor(problem: 'rejected' | 'no token') {
    super(
      problem === 'rejected'
        ? 'The promise of the token rejected.'
        : 'What the promise of the token gave is no compact JWT.',
    )
  }
}

/** The token was not there in time. The tab was closed. */
export class SubmitTimeoutError extends ServiceLinkError<'ERR_SUBMIT_TIMEOUT'> {
  readonly code = 'ERR_SUBMIT_TIMEOUT'
  /** How long was waited, in milliseconds. */
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(`The token was not there within ${waitedMs} ms.`)
    this.waitedMs = waitedMs
  }
}

/** The user closed the tab before the token was there. Nothing was posted. */
export class SubmitClosedError extends ServiceLinkError<'ERR_SUBMIT_CLOSED'> {
  readonly code = 'ERR_SUBMIT_CLOSED'

  constructor() {
    super('The tab was closed before the token was there.')
  }
}
