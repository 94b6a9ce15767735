import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type Brand,
  compareVersions,
  type FourPartVersion,
  formatVersion,
  parseVersion,
  VersionError,
} from '@service-link/protocol-core'
import { accessProblem } from '../files/access.ts'
import { decodeConfigText, readConfigBytes } from './config-disk.ts'
import { type ConfigFile, ConfigFileError, readConfigFile } from './config-file.ts'
import { deliveredSettings, type WrapperFolders } from './wrapper-folders.ts'

/** The state of a configuration file. */
export type FoundConfigFile =
  | { readonly state: 'read'; readonly file: string; readonly content: ConfigFile }
  | { readonly state: 'absent'; readonly file: string }
  | { readonly state: 'damaged' | 'unreadable'; readonly file: string; readonly error: ConfigFileError }

/** Both files, and the older settings that the first launch of this version copies. */
export interface FoundSettings {
  readonly application: FoundConfigFile
  readonly user: FoundConfigFile
  /** Present when users other than root and this one may change the application's file. */
  readonly exposure: ConfigExposure | undefined
  /** Present when an older version left settings and this version has no file yet. */
  readonly older: OlderSettings | undefined
}

/** The wrapper whose files are read. */
export interface FindSettingsOptions {
  readonly brand: Brand
  readonly folders: WrapperFolders
  /** The wrapper's version, `a.b.c.d`: each keeps its own `user.config`. */
  readonly version: string
}

/** Reads both configuration files (specification 2.2). Changes nothing. A damaged file is a state, not an error. */
export async function findSettings(options: FindSettingsOptions): Promise<FoundSettings> {
  const { brand, folders, version } = options
  const made = await findConfigFile(join(folders.applicationRoot, brand.configFile))
  // Delivered settings count until the application's file exists.
  const delivered = join(folders.applicationRoot, deliveredSettings(brand))
  const asDelivered = made.state === 'absent' ? await findConfigFile(delivered) : made
  const application = asDelivered.state === 'absent' ? made : asDelivered
  const exposure = await findConfigExposure(application.file)
  const user = await findConfigFile(join(folders.userFolder, version, 'user.config'))
  const older = user.state === 'absent' ? await findOlderSettings(folders.userFolder, version) : undefined
  return { application, user, exposure, older }
}

/** Name that .NET gives the element with the settings in a user's file. */
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

/** Users other than root and this one may change the application's configuration. */
interface ConfigExposure {
  /** The file or its folder. */
  readonly path: string
  readonly place: 'file' | 'folder'
  /** A clause such as `may be changed by other users (chmod go-w)`. */
  readonly problem: string
}

/**
 * Checks who may change a configuration file and its folder. The file decides which address opens, where signed payloads go and
 * which providers run. Ignores folders above, and access lists of Windows.
 *
 * @returns nothing when only root and this user may change both, or the file is missing
 */
async function findConfigExposure(file: string): Promise<ConfigExposure | undefined> {
  for (const [place, path] of [
    ['folder', dirname(file)],
    ['file', file],
  ] as const) {
    const found = await stat(path).catch(() => undefined)
    const problem = found && accessProblem(found, false)
    if (problem) return { place, path, problem }
  }
  return undefined
}

/** A user's settings of another version. */
interface OlderSettings {
  readonly version: string
  readonly file: string
  readonly text: string
  readonly content: ConfigFile
}

/**
 * Finds the `user.config` of the newest version that is older than this one. Skips versions without a file or with a
 * damaged one. Changes nothing.
 *
 * @param version this version, four parts
 */
async function findOlderSettings(userFolder: string, version: string): Promise<OlderSettings | undefined> {
  const own = parseVersion(version)
  const older = (await listVersions(userFolder))
    .filter(({ parts }) => compareVersions(parts, own) < 0)
    .sort((a, b) => compareVersions(b.parts, a.parts))
  for (const { folder, parts } of older) {
    const file = join(userFolder, folder, 'user.config')
    const found = await readIfSound(file)
    if (found) return { ...found, version: formatVersion(parts), file }
  }
  return undefined
}

async function listVersions(
  userFolder: string,
): Promise<readonly { readonly folder: string; readonly parts: FourPartVersion }[]> {
  // An unreadable folder has nothing to copy. A later write reports the fault.
  const entries = await readdir(userFolder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap(entry => {
    const parts = entry.isDirectory() ? versionOf(entry.name) : undefined
    return parts ? [{ folder: entry.name, parts }] : []
  })
}

function versionOf(folder: string): FourPartVersion | undefined {
  try {
    return folder === folder.trim() ? parseVersion(folder) : undefined
  } catch (error) {
    if (error instanceof VersionError) return undefined
    throw error
  }
}

async function readIfSound(file: string): Promise<Pick<OlderSettings, 'text' | 'content'> | undefined> {
  try {
    const bytes = await readConfigBytes(file)
    if (!bytes) return undefined
    const text = decodeConfigText(bytes, file)
    return { text, content: readConfigFile(text, file) }
  } catch (error) {
    if (error instanceof ConfigFileError) return undefined
    throw error
  }
}
