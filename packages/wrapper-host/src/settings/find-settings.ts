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
import { accessProblem } from '../files/access-problem.ts'
import { decodeConfigText, readConfigBytes } from './config-disk.ts'
import { type ConfigFile, ConfigFileError, readConfigFile } from './config-file.ts'
import { deliveredSettings, type WrapperFolders } from './wrapper-folders.ts'

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

/** What of the application's configuration others than root and this user may change. */
interface ConfigExposure {
  /** The file or its folder. */
  readonly path: string
  readonly place: 'file' | 'folder'
  /** A clause such as `may be changed by other users (chmod go-w)`. */
  readonly problem: string
}

/**
 * Looks who may change a configuration file, which is as good as a program: it says which address is opened, where signed
 * payloads are posted and which providers run. Looks at the file and its folder, not at the folders above; Windows keeps this in
 * access lists that Node does not read, and nothing is found there.
 *
 * @returns nothing when only root and this user may; what is not there has no problem
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

/** A user's settings as another version has left them. */
interface OlderSettings {
  readonly version: string
  readonly file: string
  readonly text: string
  readonly content: ConfigFile
}

/**
 * Finds the `user.config` of the newest version that is older than this one, in its folder in the user folder. Versions that
 * have none, or a damaged one, are passed over. Touches nothing.
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
  // A folder that is not there or cannot be read has nothing to take over; writing to it tells what is wrong.
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
