import type { Brand } from '@service-link/protocol-core'

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
