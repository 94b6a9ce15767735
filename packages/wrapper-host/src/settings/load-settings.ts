import { dirname, join } from 'node:path'
import {
  type Brand,
  ServiceLinkError,
  type SettingDefinition,
  settingsTable,
  type UserSettingName,
} from '@service-link/protocol-core'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { findForbiddenCharacter } from '@service-link/xml-input'
import { PrivateFolderError } from '../files/access.ts'
import { type InstanceLock, tryLockInstance } from '../files/instance-lock.ts'
import type { WrapperEvent } from '../log/events.ts'
import { decodeConfigText, readConfigBytes, setAside, writeConfigText } from './config-disk.ts'
import { ConfigFileError, editUserSettings, writeUserConfig } from './config-file.ts'
import { type FindSettingsOptions, type FoundSettings, findSettings, settingsGroup } from './find-settings.ts'
import { problemOf, type ResolvedSettings, resolveSettings } from './resolve-settings.ts'

/** Options of {@link loadSettings}. */
interface LoadSettingsOptions extends FindSettingsOptions {
  /** Clock for the name of a damaged file. Default: the system's clock. */
  readonly now?: () => Date
}

/** The settings of a wrapper that starts. */
interface LoadedSettings extends ResolvedSettings {
  /** Events for the log, which is opened later: {@link ResolvedSettings.notices} and changes of the files. */
  readonly events: readonly WrapperEvent[]
  /**
   * Writes settings to the user's file and keeps its other text. The values, texts like in the file, count from the next start.
   * Calls run one after another, also across the user's wrappers, so none is lost.
   *
   * @throws {SettingError} when a value is impossible; nothing is written
   * @throws {ConfigFileError} when the file is damaged or cannot be written, or other wrappers lock it too long. It stays unchanged
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
  // Another wrapper may have changed the file meanwhile. Read it again under the lock.
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
  // A new file has no settings: the application file and the defaults count.
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

/** Settings to save, in the text form of the files. */
type SettingChanges = Readonly<Partial<Record<UserSettingName, string>>>

/**
 * Makes the function that saves a user's settings. Saves run one after another under the lock of the user's settings. Each reads
 * the file again, so changes by hand and by other wrappers stay. An unchanged file is not written.
 *
 * @param file the user's file
 */
function settingsSaver(brand: Brand, file: string): (changes: SettingChanges) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return changes => {
    const saved = last.then(() => save(brand, file, changes))
    last = saved.catch(() => undefined)
    return saved
  }
}

async function save(brand: Brand, file: string, changes: SettingChanges): Promise<void> {
  const values = checkChanges(brand, changes)
  await withSettingsLock(file, () => change(brand, file, values))
}

async function change(brand: Brand, file: string, values: ReadonlyMap<string, string>): Promise<void> {
  const bytes = await readConfigBytes(file)
  const found = bytes && decodeConfigText(bytes, file)
  const group = settingsGroup(brand)
  const text = editUserSettings(found ?? writeUserConfig(group, new Map()), file, group, values)
  if (text !== found) await writeConfigText(file, text)
}

function checkChanges(brand: Brand, changes: SettingChanges): ReadonlyMap<string, string> {
  const table: Readonly<Record<string, SettingDefinition>> = settingsTable(brand)
  for (const [name, value] of Object.entries(changes)) {
    const definition = Object.hasOwn(table, name) ? table[name] : undefined
    if (definition?.scope !== 'user') throw new SettingError(name, 'cannot be set by a user')
    if (findForbiddenCharacter(value) !== -1)
      throw new SettingError(name, 'has a character that XML does not allow')
    const parsed = definition.parse.safeParse(value)
    if (!parsed.success) throw new SettingError(name, problemOf(parsed.error))
  }
  return new Map(Object.entries(changes))
}

/** A setting cannot be saved: users may not set it, or its value is impossible. */
class SettingError extends ServiceLinkError<'ERR_SETTING'> {
  readonly code = 'ERR_SETTING'
  readonly setting: string

  constructor(setting: string, problem: string) {
    super(`The setting ${setting} ${problem}.`)
    this.setting = setting
  }
}

/** Other wrappers hold the lock only while they read and write a small file. */
const pauseMs = 20

/** Options of {@link withSettingsLock}. */
interface SettingsLockOptions {
  /** Longest wait for other wrappers of the user, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
}

/**
 * Runs a change of a user's file while no other wrapper of the user runs one, in any login session. The lock is the file
 * `settings.lock` in the user folder. The operating system releases it when its process ends.
 *
 * Some file servers have no such locks. There the change runs without one: a rare lost change is better than no save.
 *
 * @param file the user's file, `<user folder>/<version>/user.config`
 * @throws {ConfigFileError} when others hold the lock until the time-out
 */
export async function withSettingsLock<Result>(
  file: string,
  run: () => Promise<Result>,
  options: SettingsLockOptions = {},
): Promise<Result> {
  const { timeoutMs = 10_000 } = options
  const lockFile = join(dirname(dirname(file)), 'settings.lock')
  const deadline = new Deadline(timeoutMs)
  let lock = tryLock(lockFile)
  while (lock === 'held') {
    if (deadline.isOver)
      throw new ConfigFileError(file, 'could not be changed: another wrapper of this user is changing it')
    await pause(pauseMs)
    lock = tryLock(lockFile)
  }
  try {
    return await run()
  } finally {
    lock?.[Symbol.dispose]()
  }
}

/** @returns nothing on a file system without locks */
function tryLock(lockFile: string): InstanceLock | 'held' | undefined {
  try {
    return tryLockInstance(lockFile) ?? 'held'
  } catch (error) {
    if (error instanceof PrivateFolderError) return undefined
    throw error
  }
}
