import type { Brand } from '@service-link/protocol-core'

/** A platform that is packed for. */
export type PackPlatform = 'win-x64' | 'linux-x64'

/** What differs between the platforms that are packed for. */
export interface PackTarget {
  readonly platform: PackPlatform
  /** Node's `process.platform` and `process.arch` there. */
  readonly runsOn: string
  readonly isWindows: boolean
  /** File name of the executable. */
  executable(brand: Brand): string
}

/** Each platform that is packed for. */
export const packTargets: Readonly<Record<PackPlatform, PackTarget>> = {
  'win-x64': {
    platform: 'win-x64',
    runsOn: 'win32-x64',
    isWindows: true,
    executable: brand => brand.executable,
  },
  'linux-x64': {
    platform: 'linux-x64',
    runsOn: 'linux-x64',
    isWindows: false,
    executable: brand => brand.application,
  },
}
