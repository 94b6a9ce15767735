import { ServiceLinkError } from '@service-link/protocol-core/errors'

/**
 * The service refused the signed payload of a launch: it has expired, was used before, or is not of a partner that the service
 * knows. A new one may be taken.
 */
export class SignOnRefusedError extends ServiceLinkError<'ERR_SIGN_ON_REFUSED'> {
  readonly code = 'ERR_SIGN_ON_REFUSED'
  /** Status of the service's answer, 400 and above. */
  readonly status: number

  constructor(status: number) {
    super(`The service refused the sign-on from the other application (status ${status}).`)
    this.status = status
  }
}
