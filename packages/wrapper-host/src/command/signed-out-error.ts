import { ServiceLinkError } from '@service-link/protocol-core/errors'

/**
 * The user for whom a launch was taken has signed out, or their session ran out, before it was carried out. It is not carried out
 * for the next one.
 */
export class SignedOutError extends ServiceLinkError<'ERR_SIGNED_OUT'> {
  readonly code = 'ERR_SIGNED_OUT'

  constructor() {
    super('The user of the web app has signed out before this was done.')
  }
}
