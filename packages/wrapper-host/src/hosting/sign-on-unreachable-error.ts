import { ServiceLinkError } from '@service-link/protocol-core/errors'

/**
 * The service could not be reached with the signed payload of a launch while the payload could be valid. Where a gateway answered
 * in its place, the service may have taken it all the same. A new one is needed.
 */
export class SignOnUnreachableError extends ServiceLinkError<'ERR_SIGN_ON_UNREACHABLE'> {
  readonly code = 'ERR_SIGN_ON_UNREACHABLE'
  /** How long was waited, in milliseconds. */
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(
      `The service could not be reached for the sign-on from the other application within ${Math.round(waitedMs)} ms. Open the person there again.`,
    )
    this.waitedMs = waitedMs
  }
}
