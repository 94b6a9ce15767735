import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** Partners that are not registered as told; those before stay in force. Names partner, path and thumbprint, never a key. */
export class PartnerRegistrationError extends ServiceLinkError<'ERR_PARTNER_REGISTRATION'> {
  readonly code = 'ERR_PARTNER_REGISTRATION'
}
