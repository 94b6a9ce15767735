import { ServiceLinkError } from '@service-link/protocol-core'

/** The provider of a launch did not answer in time; the launch was not taken. */
export class ProviderTimeoutError extends ServiceLinkError<'ERR_PROVIDER_TIMEOUT'> {
  readonly code = 'ERR_PROVIDER_TIMEOUT'
  /** How long was waited, in milliseconds. */
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(
      `The provider of the launch did not answer within ${waitedMs} ms. Make sure that what it reads can be reached, and launch again.`,
    )
    this.waitedMs = waitedMs
  }
}
