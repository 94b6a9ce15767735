import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** The command line cannot be understood. */
export class UsageError extends ServiceLinkError<'ERR_USAGE'> {
  readonly code = 'ERR_USAGE'
}
