import { ServiceLinkError } from '@service-link/protocol-core'

/** A setting that cannot be saved as its user's: it is for everybody, or the value is none that it takes. */
export class SettingError extends ServiceLinkError<'ERR_SETTING'> {
  readonly code = 'ERR_SETTING'
  readonly setting: string

  constructor(setting: string, problem: string) {
    super(`The setting ${setting} ${problem}.`)
    this.setting = setting
  }
}
