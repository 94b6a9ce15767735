import type { Brand, InstallRecord } from '@service-link/protocol-core'

/** What differs between operating systems in noting where a wrapper is installed, beside its file. */
export interface InstallPlatform {
  /**
   * Notes it in the way of the platform, where it has one.
   *
   * @throws an `Error` whose `code` tells why, in a word without names or paths
   */
  note(brand: Brand, record: InstallRecord): Promise<void>
  /**
   * Takes back what {@link note} has noted; does nothing where that is gone.
   *
   * @throws as {@link note} does
   */
  forget(brand: Brand): Promise<void>
  /**
   * Process ids of what may be this user's wrappers, in all login sessions. Never rejects.
   *
   * @param userFolder absolute path
   */
  findRunning(brand: Brand, userFolder: string): Promise<readonly number[]>
}
