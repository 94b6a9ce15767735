import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** The command line cannot be understood. Names what is known, and never a value that was given. */
export class UsageError extends ServiceLinkError<'ERR_USAGE'> {
  readonly code = 'ERR_USAGE'
  /** The command whose help explains more; `undefined` for that of all. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}
