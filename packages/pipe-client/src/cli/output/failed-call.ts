import { defaultBrand } from '@service-link/protocol-core/brand'

/** What is known of a call that failed. */
export interface FailedCall {
  /** The command's name, as the table spells it; `undefined` when there was none. */
  readonly command: string | undefined
  /** What the wrapper's executable is called on this machine. */
  readonly executable: string
}

/** What the wrapper's executable is called on a platform. */
export function executableOn(platform: NodeJS.Platform): string {
  return platform === 'win32' ? defaultBrand.executable : 'service-webwrapper'
}
