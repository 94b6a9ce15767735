import type { Brand, UserSettingName } from '@service-link/protocol-core'
import type { WrapperEvent } from '../log/events.ts'
import { setAside, writeConfigText } from './config-disk.ts'
import { ConfigFileError, writeUserConfig } from './config-file.ts'
import { type FindSettingsOptions, type FoundSettings, findSettings, settingsGroup } from './find-settings.ts'
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts'
import { settingsSaver, withSettingsLock } from './save-settings.ts'

/** Options of {@link loadSettings}. */
interface LoadSettingsOptions extends FindSettingsOptions {
  /** For the name of a damaged file that is set aside. Default: the system's clock. */
  readonly now?: () => Date
}

/** The settings of a wrapper that starts. */
export interface LoadedSettings extends ResolvedSettings {
  /** What happened, to be reported once there is a log: all of {@link ResolvedSettings.notices} and what became of the files. */
  readonly events: readonly WrapperEvent[]
  /**
   * Writes settings to the user's file, each as the files write it, and keeps everything else that stands there. What is saved
   * counts from the next start on. Calls follow one another, also those of the user's other wrappers: none is lost.
   *
   * @throws {SettingError} when a value is none that the setting takes; nothing is written then
   * @throws {ConfigFileError} when the file cannot be written, or other wrappers are at it all the time, or was damaged meanwhile, perhaps in the midst of an edit by
   *   hand: it stays as it is
   */
  save(changes: Readonly<Partial<Record<UserSettingName, string>>>): Promise<void>
}

/**
 * Reads the settings, and creates the user's file at the first launch of a version, with what the newest older version has
 * left (specification 2.2). A damaged user file is set aside as `user.config.bad-<time>`, and defaults apply; a damaged file
 * in the application root stops the start.
 *
 * @throws {ConfigFileError} naming file, line and column; or when a file cannot be read, or the user's cannot be created
 */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const loaded = await loadFound(options)
  if (loaded.found.user.state === 'read') return settingsOf(options.brand, loaded)
  // Another wrapper may be at its first start too, and may have saved since: what counts is what is there under the lock.
  return await withSettingsLock(loaded.found.user.file, async () => {
    const current = await loadFound(options)
    await prepareUserFile(options.brand, current.found, options.now?.() ?? new Date())
    return settingsOf(options.brand, current)
  })
}

interface Loaded {
  readonly found: FoundSettings
  readonly resolved: ResolvedSettings
}

async function loadFound(options: LoadSettingsOptions): Promise<Loaded> {
  const found = await findSettings(options)
  if ('error' in found.application) throw found.application.error
  if (found.user.state === 'unreadable') throw found.user.error
  const resolved = resolveSettings(options.brand, found)
  for (const { setting, problem } of resolved.faults)
    throw new ConfigFileError(found.application.file, `the setting ${setting} ${problem}`)
  return { found, resolved }
}

function settingsOf(brand: Brand, { found, resolved }: Loaded): LoadedSettings {
  return { ...resolved, events: eventsOf(found, resolved), save: settingsSaver(brand, found.user.file) }
}

async function prepareUserFile(brand: Brand, { user, older }: FoundSettings, now: Date): Promise<void> {
  if (user.state === 'read') return
  if (user.state === 'damaged') await setAside(user.file, now)
  // An empty one: what the user has not changed stays as the application file or the default has it.
  await writeConfigText(user.file, older?.text ?? writeUserConfig(settingsGroup(brand), new Map()))
}

function eventsOf(
  { user, exposure, older }: FoundSettings,
  { notices }: ResolvedSettings,
): readonly WrapperEvent[] {
  const events: WrapperEvent[] = []
  if (exposure) events.push({ type: 'configuration-exposed', of: exposure.place, problem: exposure.problem })
  if (user.state === 'damaged') events.push({ type: 'settings-damaged' })
  if (older) events.push({ type: 'settings-carried-over', fromVersion: older.version })
  for (const notice of notices) events.push({ type: 'setting-ignored', ...notice })
  return events
}
