import { type Brand, defineError } from '@service-link/protocol-core'

/** A checked brand file with defaults and absolute paths. */
export interface PackPlan {
  readonly brand: Brand
  /** Four parts. */
  readonly version: string
  /** Icon file (`.ico`) of executable, shortcuts and notification area, absolute. `undefined`: the neutral icon. */
  readonly icon: string | undefined
  /** Icon file for a light taskbar, absolute. `undefined`: {@link icon}. */
  readonly iconOnLight?: string | undefined
  /** Settings for the configuration file, name → value: those for everybody, and first values of users' settings. */
  readonly settings: Readonly<Record<string, string>>
  /** Language of the wrapper's own words, BCP 47. `undefined`: that of the machine. */
  readonly language: string | undefined
  /** Own words in place of single ones. */
  readonly texts: Readonly<Record<string, string>>
  /** Modules for the folder `providers`, absolute paths. */
  readonly providerModules: readonly string[]
  /** The integrator's program, absolute, in place of the wrapper's. */
  readonly entry: string | undefined
  /** Folder with a Chromium build that is packed beside the executable, absolute. */
  readonly browser: string | undefined
  /** Identity of the installer over all versions, a GUID in upper case; by default it follows from vendor and application. */
  readonly upgradeCode: string
  /** Data folder of the user that holds the installation for one user; `local` does not follow the user to other machines. */
  readonly installFolder: 'roaming' | 'local'
  /** `undefined`: files stay unsigned. */
  readonly sign: SignTool | undefined
}

/** The program that signs a file, and its arguments. */
export interface SignTool {
  /** Program and arguments; `{file}` stands for the file's absolute path. */
  readonly argv: readonly string[]
  /** Working directory, absolute: the folder of the brand file. */
  readonly folder: string
}

export type PackPlatform = 'win-x64' | 'linux-x64'

export interface PackTarget {
  readonly platform: PackPlatform
  /** Node's `process.platform` and `process.arch` there. */
  readonly runsOn: string
  readonly isWindows: boolean
  /** File name of the executable. */
  executable(brand: Brand): string
  /** File name of the launcher. */
  launcher(brand: Brand): string
}

export const packTargets: Readonly<Record<PackPlatform, PackTarget>> = {
  'win-x64': {
    platform: 'win-x64',
    runsOn: 'win32-x64',
    isWindows: true,
    executable: brand => brand.executable,
    launcher: brand => `${brand.application}.Launch.exe`,
  },
  'linux-x64': {
    platform: 'linux-x64',
    runsOn: 'linux-x64',
    isWindows: false,
    executable: brand => brand.application,
    launcher: brand => `${brand.application}.Launch`,
  },
}

/**
 * A wrapper cannot be packed. Nothing incomplete is left, or the message names its folder.
 *
 * @remedy Do what the message says, and pack again.
 * @retry after the cure
 * @seenBy integrator
 */
export class PackError extends defineError('ERR_PACK') {}
