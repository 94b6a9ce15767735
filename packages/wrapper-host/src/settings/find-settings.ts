import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  type Brand,
  compareVersions,
  type FourPartVersion,
  formatVersion,
  parseVersion,
  VersionError,
} from '@service-link/protocol-core'
import { accessProblem } from '../files/access.ts'
import { replaceFile } from '../files/whole-file.ts'
import { type ConfigFile, type FoundConfigFile, findConfigFile } from './config-file.ts'
import { type FoundPolicies, readPolicies } from './policies.ts'
import { deliveredSettings, type FindSettingsOptions } from './wrapper-folders.ts'

/** Policies, both files, and the older settings that the first launch of this version copies. */
export interface FoundSettings {
  readonly policies: FoundPolicies
  readonly application: FoundConfigFile
  readonly user: FoundConfigFile
  /** Present when users other than root and this one may change the application's file. */
  readonly exposure: ConfigExposure | undefined
  /** Present when an older version or wrapper left settings and this version has no file yet. */
  readonly older: OlderSettings | undefined
}

/** Reads policies and both configuration files (spec 2.2). Changes nothing. A damaged file is a state, not an error. */
export async function findSettings(options: FindSettingsOptions): Promise<FoundSettings> {
  const { brand, folders, version } = options
  const made = await findConfigFile(join(folders.applicationRoot, brand.configFile), brand)
  // Delivered settings count until the application's file exists.
  const delivered = join(folders.applicationRoot, deliveredSettings(brand))
  const asDelivered = made.state === 'absent' ? await findConfigFile(delivered, brand) : made
  const application = asDelivered.state === 'absent' ? made : asDelivered
  const exposure = await findConfigExposure(application.file)
  const user = await findConfigFile(join(folders.userFolder, version, 'user.config'), brand)
  const older = user.state === 'absent' ? await findOlderSettings(options) : undefined
  return { policies: readPolicies(brand), application, user, exposure, older }
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
 * which providers run. Ignores folders above, and access lists of Windows. Returns nothing when only root and this user may change
 * both, or the file is missing.
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

/** Settings of an older version, or of an older wrapper. */
interface OlderSettings {
  readonly version: string
  /** Whether it is the file of an older wrapper, which is taken over once. */
  readonly isOfOlderWrapper: boolean
  readonly file: string
  readonly text: string
  readonly content: ConfigFile
}

/**
 * Finds the `user.config` of the newest older version, else that of the newest older wrapper, unless it was taken over before.
 * Skips versions without a file or with a damaged one. Changes nothing.
 */
async function findOlderSettings({
  brand,
  folders: { userFolder },
  version,
}: FindSettingsOptions): Promise<OlderSettings | undefined> {
  const own = parseVersion(version)
  const older = (await listVersions(userFolder)).filter(({ parts }) => compareVersions(parts, own) < 0)
  const found = await newestOf(older, brand)
  if (found) return { ...found, isOfOlderWrapper: false }
  if (!brand.readsOldSettings || existsSync(adoptionFile(userFolder))) return undefined
  const places = await listOlderWrappers(brand, userFolder)
  const versions = (await Promise.all(places.map(listVersions))).flat()
  const ofOlderWrapper = await newestOf(versions, brand)
  return ofOlderWrapper && { ...ofOlderWrapper, isOfOlderWrapper: true }
}

/** Notes that the settings of an older wrapper were taken over, so that a user who deletes them does not get them again. */
export async function noteAdoption(
  userFolder: string,
  { version, isOfOlderWrapper }: OlderSettings,
): Promise<void> {
  if (isOfOlderWrapper) await replaceFile(adoptionFile(userFolder), `${JSON.stringify({ version })}\n`)
}

function adoptionFile(userFolder: string): string {
  return join(userFolder, 'taken-over.json')
}

/**
 * Lists the folders in which .NET kept the user's settings of an older wrapper: `<company>/<program>_Url_<hash>`, also with
 * `StrongName` and `Path`. The hash is that of the program's place, so each update of it may have left a folder.
 */
async function listOlderWrappers(brand: Brand, userFolder: string): Promise<readonly string[]> {
  const vendorFolder = dirname(userFolder)
  const companies = new Set([vendorFolder, join(dirname(vendorFolder), dotnetName(brand.vendor))])
  const programs = [brand.executable, brand.application]
    .flatMap(name => [name, dotnetName(name)])
    .map(name => name.toLowerCase())
  const isOfProgram = (name: string) => {
    const [, program = ''] = /^(.+)_(?:Url|StrongName|Path)_[a-z0-9]+$/i.exec(name) ?? []
    return programs.includes(program.toLowerCase())
  }
  const folders = await Promise.all([...companies].map(listFolders))
  return folders.flat().filter(path => isOfProgram(basename(path)))
}

/** .NET replaces characters that Windows forbids, and blanks, and cuts to 25 characters. */
function dotnetName(name: string): string {
  return name.replace(/["<>|:*?\\/ \p{Cc}]/gu, '_').slice(0, 25)
}

interface VersionFolder {
  readonly path: string
  readonly parts: FourPartVersion
}

/** Reads the file of the newest version, and of several of that version the one that was changed last. */
async function newestOf(
  versions: readonly VersionFolder[],
  brand: Brand,
): Promise<Omit<OlderSettings, 'isOfOlderWrapper'> | undefined> {
  const dated = await Promise.all(
    versions.map(async ({ path, parts }) => {
      const file = join(path, 'user.config')
      const found = await stat(file).catch(() => undefined)
      return { file, parts, changedAt: found?.mtimeMs ?? 0 }
    }),
  )
  dated.sort((a, b) => compareVersions(b.parts, a.parts) || b.changedAt - a.changedAt)
  for (const { file, parts } of dated) {
    const found = await findConfigFile(file, brand)
    if (found.state === 'read') return { ...found, version: formatVersion(parts) }
  }
  return undefined
}

async function listVersions(folder: string): Promise<readonly VersionFolder[]> {
  return (await listFolders(folder)).flatMap(path => {
    const parts = versionOf(basename(path))
    return parts ? [{ path, parts }] : []
  })
}

/** An unreadable folder has nothing to copy. A later write reports the fault. */
async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap(entry => (entry.isDirectory() ? [join(folder, entry.name)] : []))
}

function versionOf(folder: string): FourPartVersion | undefined {
  try {
    return folder === folder.trim() ? parseVersion(folder) : undefined
  } catch (error) {
    if (error instanceof VersionError) return undefined
    throw error
  }
}
