import type { Brand } from '@service-link/protocol-core/brand'
import type { InstalledWrapper } from '../installed-wrapper.ts'

/** What differs between operating systems in finding an installed wrapper. */
export interface LocatePlatform {
  /**
   * Reads where the wrapper was when it was started last, in the way that the platform has beside the file.
   *
   * @returns nothing when it is not noted there, or cannot be read
   */
  readRegistered(brand: Brand, environment: NodeJS.ProcessEnv): Promise<InstalledWrapper | undefined>
  /**
   * Makes sure that nobody besides this user and the administrators can have written what would be started, as far as the
   * platform tells: on Windows nothing is looked at.
   *
   * @param file absolute path of what is there
   * @throws {PipeDeniedError} when somebody else can
   */
  assertTrusted(file: string): Promise<void>
}
