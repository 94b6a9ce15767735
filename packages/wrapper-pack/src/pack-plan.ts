import { type Brand, ServiceLinkError } from '@service-link/protocol-core'

/** What is packed: the brand file once it was read and checked, with defaults and absolute paths. */
export interface PackPlan {
  readonly brand: Brand
  /** Four parts. */
  readonly version: string
  /** Icon file (`.ico`) of executable, shortcuts and notification area, absolute; a neutral one where there is none. */
  readonly icon: string | undefined
  /** Settings for everybody, as the configuration file gets them: name → value. */
  readonly settings: Readonly<Record<string, string>>
  /** Modules that are copied into the folder `providers`, absolute. */
  readonly providers: readonly string[]
  /** The integrator's own program, absolute, which is bundled in the place of the wrapper's; nothing: the wrapper's. */
  readonly entry: string | undefined
  /** Identity of the installer over all versions, a GUID in upper case; by default it follows from vendor and application. */
  readonly upgradeCode: string
  /** Nothing: files stay unsigned. */
  readonly sign: SignCommand | undefined
}

/** What signs a file. */
export interface SignCommand {
  /** Program and arguments, of which `{file}` stands for the file's absolute path. */
  readonly command: readonly string[]
  /** Where it is started, absolute: the folder of the brand file. */
  readonly folder: string
}

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

/** Which step of packing failed. */
export type PackStep = 'node' | 'program' | 'executable' | 'folder' | 'sign' | 'installer'

/** A program could not be packed. Nothing half made is left, or the message says where. */
export class PackError extends ServiceLinkError<'ERR_PACK'> {
  readonly code = 'ERR_PACK'
  readonly step: PackStep

  /** @param problem a sentence, or several, that also say what to do */
  constructor(step: PackStep, problem: string) {
    super(problem)
    this.step = step
  }
}
