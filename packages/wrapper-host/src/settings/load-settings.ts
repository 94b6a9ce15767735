import type { Brand, UserSettingName } from '@service-link/protocol-core'
import type { WrapperEvent } from '../log/events.ts'
import { setAside, writeConfigText } from './config-disk.ts'
import { ConfigFileError, writeUserConfig } from './config-file.ts'
import { type FindSettingsOptions, type FoundSettings, findSettings, settingsGroup } from './find-settings.ts'
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts'
import { settingsSaver, withSettingsLock } from './save-settings.ts'

/** Options of {@link loadSettings}. */
interface LoadSettingsOptions extends FindSettingsOptions {
  /** Clock for the name of a damaged file. Default: the system's clock. */
  readonly now?: () => Date
}

/** The settings of a wrapper that starts. */
interface LoadedSettings extends ResolvedSettings {
  /** Events for the log, which does not exist yet: {@link ResolvedSettings.notices} and the fate of the files. */
  readonly events: readonly WrapperEvent[]
  /**
   * Writes settings to the user's file and keeps all its other text. Values are in the text form of the files and count from
   * the next start. Calls run one after another, also across the user's wrappers: none is lost.
   *
   * @throws {SettingError} when a value is impossible; nothing is written
   * @throws {ConfigFileError} when the file is damaged or cannot be written, or other wrappers hold it all the time; it stays
   */
  save(changes: Readonly<Partial<Record<UserSettingName, string>>>): Promise<void>
}

/**
 * Reads the settings. The first launch of a version creates the user's file with the settings of the newest older version
 * (specification 2.2). A damaged user's file is renamed to `user.config.bad-<time>`, and defaults apply. A damaged file in the
 * application root stops the start.
 *
 * @throws {ConfigFileError} naming file, line and column; or when a file cannot be read, or the user's cannot be created
 */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const loaded = await loadFound(options)
  if (loaded.found.user.state === 'read') return settingsOf(options.brand, loaded)
  // Another wrapper may have created or changed the file meanwhile: read again under the lock.
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
  // A new file is empty: unchanged settings follow the application file and the defaults.
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
