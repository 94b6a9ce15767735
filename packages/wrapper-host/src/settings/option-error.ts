import { ServiceLinkError } from '@service-link/protocol-core/errors'

/** An option of `createWrapper` or `createSystray` has an impossible value. */
export class OptionError extends ServiceLinkError<'ERR_OPTION'> {
  readonly code = 'ERR_OPTION'
  /** Name of the option. */
  readonly option: string

  /** @param needs the requirement, as the end of a sentence */
  constructor(option: string, needs: string) {
    super(`The option ${option} needs ${needs}.`)
    this.option = option
  }
}
