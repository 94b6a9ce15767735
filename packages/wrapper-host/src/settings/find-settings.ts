import { join } from 'node:path'
import type { Brand } from '@service-link/protocol-core'
import { type ConfigExposure, findConfigExposure } from './config-exposure.ts'
import { ConfigFileError } from './config-file-error.ts'
import { deliveredSettings } from './delivered-settings.ts'
import { findOlderSettings, type OlderSettings } from './find-older-settings.ts'
import { type ConfigFile, readConfigFile } from './read-config-file.ts'
import { decodeConfigText, readConfigBytes } from './read-config-text.ts'
import type { WrapperFolders } from './wrapper-folders.ts'

/** A configuration file as it was found. */
export type FoundConfigFile =
  | { readonly state: 'read'; readonly file: string; readonly content: ConfigFile }
  | { readonly state: 'absent'; readonly file: string }
  | { readonly state: 'damaged' | 'unreadable'; readonly file: string; readonly error: ConfigFileError }

/** Both files, and what a first launch of this version takes over. */
export interface FoundSettings {
  readonly application: FoundConfigFile
  readonly user: FoundConfigFile
  /** Who besides root and this user may change the application's file. */
  readonly exposure: ConfigExposure | undefined
  /** Of an older version; only where this one has no file yet. */
  readonly older: OlderSettings | undefined
}

/** Which files are looked for. */
export interface FindSettingsOptions {
  readonly brand: Brand
  readonly folders: WrapperFolders
  /** The wrapper's version, `a.b.c.d`: each keeps its own `user.config`. */
  readonly version: string
}

/** Reads both configuration files (specification 2.2). Touches nothing, and never throws for what it finds. */
export async function findSettings(options: FindSettingsOptions): Promise<FoundSettings> {
  const { brand, folders, version } = options
  const made = await findConfigFile(join(folders.applicationRoot, brand.configFile))
  // An installer that runs with more rights than the user's has the executable make nothing of what it delivers.
  const delivered = join(folders.applicationRoot, deliveredSettings(brand))
  const asDelivered = made.state === 'absent' ? await findConfigFile(delivered) : made
  const application = asDelivered.state === 'absent' ? made : asDelivered
  const exposure = await findConfigExposure(application.file)
  const user = await findConfigFile(join(folders.userFolder, version, 'user.config'))
  const older = user.state === 'absent' ? await findOlderSettings(folders.userFolder, version) : undefined
  return { application, user, exposure, older }
}

/** Element of a user's file that holds the settings, as .NET names it. */
export function settingsGroup(brand: Brand): string {
  return `${brand.application}.Properties.Settings`
}

async function findConfigFile(file: string): Promise<FoundConfigFile> {
  let bytes: Uint8Array | undefined
  try {
    bytes = await readConfigBytes(file)
    if (!bytes) return { state: 'absent', file }
    return { state: 'read', file, content: readConfigFile(decodeConfigText(bytes, file), file) }
  } catch (error) {
    if (error instanceof ConfigFileError) return { state: bytes ? 'damaged' : 'unreadable', file, error }
    throw error
  }
}
