import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** There is no icon in the notification area; the wrapper runs without it. */
export class TrayError extends ServiceLinkError<'ERR_TRAY'> {
  readonly code = 'ERR_TRAY'
}
