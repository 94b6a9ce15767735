import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** Why there is no icon. */
export type TrayFault =
  /** The package that brings the program is not installed. */
  | 'no-package'
  /** The package has no program for this operating system and processor, or it is not there. */
  | 'no-program'
  /** There is no display. */
  | 'no-display'
  /** A library of the system is missing. */
  | 'no-library'
  /** There is no message bus of the login session. */
  | 'no-bus'
  /** The program has to be copied, and there is no folder for it that is this user's alone. */
  | 'no-folder'
  /** The program cannot be started, or ended before it was ready. */
  | 'ended'
  /** The program did not get ready in time. */
  | 'timeout'

/** There is no icon in the notification area; the wrapper runs without it. */
export class TrayError extends ServiceLinkError<'ERR_TRAY'> {
  readonly code = 'ERR_TRAY'
  readonly fault: TrayFault

  constructor(fault: TrayFault, message: string) {
    super(message)
    this.fault = fault
  }
}
