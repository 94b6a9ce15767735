import { createReadStream } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Brand, UserSettingName } from '@service-link/protocol-core'
import { failureReason } from '../failure-reason.ts'
import type { WrapperEvent } from '../log/wrapper-event.ts'
import { ConfigFileError, maxConfigFileBytes, readConfigFile } from './read-config-file.ts'
import { type ResolvedSettings, resolveSettings, type SettingFiles } from './resolve-settings.ts'
import type { WrapperFolders } from './wrapper-folders.ts'
import { writeUserConfig } from './write-config-file.ts'

/** Options of {@link loadSettings}. */
export interface LoadSettingsOptions {
  readonly brand: Brand
  readonly folders: WrapperFolders
  /** The wrapper's version, `a.b.c.d`: each keeps its own `user.config`. */
  readonly version: string
  /** For the name of a damaged file that is set aside. Default: the system's clock. */
  readonly now?: () => Date
}

/** The settings of a wrapper that starts. */
export interface LoadedSettings extends ResolvedSettings {
  /** What happened, to be reported once there is a log: all of {@link ResolvedSettings.notices} and what became of the files. */
  readonly events: readonly WrapperEvent[]
  /**
   * Writes settings to the user's file, each as the files write it; what it does not name stays as it is.
   *
   * @throws {ConfigFileError} when the file cannot be written
   */
  save(changes: Partial<Record<UserSettingName, string>>): Promise<void>
}

/**
 * Reads the settings, and creates the user's file at the first launch (specification 2.2). A damaged user file is set
 * aside as `user.config.bad-<time>`; a damaged file in the application root stops the start.
 *
 * @throws {ConfigFileError} naming file, line and column; or when a file cannot be read, or the user's cannot be created
 */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const { brand, folders } = options
  const applicationFile = join(folders.applicationRoot, brand.configFile)
  const application = await readIfThere(applicationFile)
  const userFile = join(folders.userFolder, options.version, 'user.config')
  const files: SettingFiles = {
    application:
      application === undefined
        ? undefined
        : { file: applicationFile, content: readConfigFile(application, applicationFile) },
    user: await readUserFile(userFile, options),
  }
  const resolved = resolveSettings(brand, files)
  const events = resolved.notices.map(notice => ({ type: 'setting-ignored' as const, ...notice }))
  return { ...resolved, events, save: async () => undefined }
}

async function readUserFile(file: string, options: LoadSettingsOptions): Promise<SettingFiles['user']> {
  const found = await readIfThere(file)
  if (found !== undefined) {
    try {
      return { file, content: readConfigFile(found, file) }
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error
      const time = (options.now?.() ?? new Date()).toISOString().replaceAll(/[:.]/g, '-')
      await writing(file, () => rename(file, `${file}.bad-${time}`))
    }
  }
  await writing(file, () => createUserFile(file, options.brand))
  return undefined
}

/** Empty: what the user has not changed stays as the application file or the default has it. */
async function createUserFile(file: string, brand: Brand): Promise<void> {
  const content = writeUserConfig(`${brand.application}.Properties.Settings`, new Map())
  await mkdir(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, content)
  await rename(temporary, file)
}

/** Reads no further than it takes to see that a file is too large. */
async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await text(createReadStream(file, { end: maxConfigFileBytes }))
  } catch (error) {
    const reason = failureReason(error)
    if (reason === 'ENOENT') return undefined
    throw new ConfigFileError(file, `cannot be read (${reason}); it must be a file that this user may read`)
  }
}

async function writing(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw new ConfigFileError(
      file,
      `cannot be written (${failureReason(error)}); its folder must be one that this user may write to, and SERVICE_WRAPPER_DATA can name another`,
    )
  }
}
