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
import { Deadline } from '@service-link/protocol-core/time'
import { maxXmlBytes } from '@service-link/xml-input'
import { accessProblem } from '../files/access.ts'
import { readWholeFile } from '../files/whole-file.ts'
import { failureReason } from '../log/failure-reason.ts'
import { type ConfigFile, ConfigFileError, readConfigFile } from './config-file.ts'
import { deliveredSettings, type WrapperFolders } from './wrapper-folders.ts'

export type FoundConfigFile =
  | { readonly state: 'read'; readonly file: string; readonly text: string; readonly content: ConfigFile }
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

export interface FindSettingsOptions {
  readonly brand: Brand
  readonly folders: WrapperFolders
  /** The wrapper's version, `a.b.c.d`: each keeps its own `user.config`. */
  readonly version: string
}

/** Reads both configuration files ([specification 2.2](https://github.com/service-link/service-link/blob/main/docs/reference/settings.md)). Changes nothing. A damaged file is a state, not an error. */
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

async function findConfigFile(file: string): Promise<FoundConfigFile> {
  let bytes: Uint8Array | undefined
  try {
    bytes = await readConfigBytes(file)
    if (!bytes) return { state: 'absent', file }
    const text = decodeConfigText(bytes, file)
    return { state: 'read', file, text, content: readConfigFile(text, file) }
  } catch (error) {
    if (error instanceof ConfigFileError) return { state: bytes ? 'damaged' : 'unreadable', file, error }
    throw error
  }
}

/**
 * Reads a configuration file.
 *
 * @returns nothing when there is no such file
 */
export async function readConfigText(file: string): Promise<string | undefined> {
  const bytes = await readConfigBytes(file)
  return bytes && decodeConfigText(bytes, file)
}

/** A file server may hang. In milliseconds. */
const readLimitMs = 20_000

async function readConfigBytes(file: string): Promise<Uint8Array | undefined> {
  const unreadable = (problem: string) =>
    new ConfigFileError(file, `${problem}; it must be a file that this user may read`)
  try {
    const read = await new Deadline(readLimitMs).waitFor(readWholeFile(file, { maxBytes: maxXmlBytes }), () =>
      unreadable(`could not be read within ${readLimitMs / 1000} seconds`),
    )
    if ('problem' in read) throw unreadable(read.problem)
    return read.bytes
  } catch (error) {
    if (error instanceof ConfigFileError) throw error
    if (failureReason(error) === 'ENOENT') return undefined
    throw unreadable(`cannot be read (${failureReason(error)})`)
  }
}

/** @throws {ConfigFileError} when it is not UTF-8: a lenient decoder would replace text that a save then loses */
function decodeConfigText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ConfigFileError(file, 'is not UTF-8; it must be saved in this encoding')
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

interface OlderSettings {
  readonly version: string
  readonly file: string
  readonly text: string
  readonly content: ConfigFile
}

/** Finds the `user.config` of the newest older version. Skips versions without a file or with a damaged one. */
async function findOlderSettings(userFolder: string, version: string): Promise<OlderSettings | undefined> {
  const own = parseVersion(version)
  const older = (await listVersions(userFolder))
    .filter(({ parts }) => compareVersions(parts, own) < 0)
    .sort((a, b) => compareVersions(b.parts, a.parts))
  for (const { folder, parts } of older) {
    const found = await findConfigFile(join(userFolder, folder, 'user.config'))
    if (found.state === 'read') return { ...found, version: formatVersion(parts) }
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
