import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { accessProblem } from '../files/access.ts'
import { type FoundConfigFile, findConfigFile } from './find-config-file.ts'
import { findOlderSettings, type OlderSettings } from './find-older-settings.ts'
import { deliveredSettings, type FindSettingsOptions } from './wrapper-folders.ts'

/** Both files, and the older settings that the first launch of this version copies. */
export interface FoundSettings {
  readonly application: FoundConfigFile
  readonly user: FoundConfigFile
  /** Present when users other than root and this one may change the application's file. */
  readonly exposure: ConfigExposure | undefined
  /** Present when an older version or wrapper left settings and this version has no file yet. */
  readonly older: OlderSettings | undefined
}

/** Reads both configuration files (spec 2.2). Changes nothing. A damaged file is a state, not an error. */
export async function findSettings(options: FindSettingsOptions): Promise<FoundSettings> {
  const { brand, folders, version } = options
  const made = await findConfigFile(join(folders.applicationRoot, brand.configFile), brand)
  // Delivered settings count until the application's file exists.
  const delivered = join(folders.applicationRoot, deliveredSettings(brand))
  const asDelivered = made.state === 'absent' ? await findConfigFile(delivered, brand) : made
  const application = asDelivered.state === 'absent' ? made : asDelivered
  const exposure = await findConfigExposure(application.file)
  const otherGroups = application.state === 'read' ? application.content.groups : undefined
  const user = await findConfigFile(join(folders.userFolder, version, 'user.config'), brand, otherGroups)
  const older = user.state === 'absent' ? await findOlderSettings(options, otherGroups) : undefined
  return { application, user, exposure, older }
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
