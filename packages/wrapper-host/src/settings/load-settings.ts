import { rename } from 'node:fs/promises'
import type { Brand, UserSettingName } from '@service-link/protocol-core'
import { replaceFile } from '../files/whole-file.ts'
import type { WrapperEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'
import { ConfigFileError, neededRemedy, readConfigText, writeUserConfig } from './config-file.ts'
import { type FoundSettings, findSettings, noteAdoption } from './find-settings.ts'
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts'
import type { SettingNotice } from './setting-groups.ts'
import type { FindSettingsOptions } from './wrapper-folders.ts'

interface LoadedSettings extends ResolvedSettings {
  /** The configuration file in the application root. */
  readonly file: string
  /** Events for the log, which is opened later: {@link ResolvedSettings.notices} and changes of the files. */
  readonly events: readonly WrapperEvent[]
  /**
   * Writes settings to the user's file and keeps its other settings. The values, texts like in the file, count from the next start.
   * Calls run one after another. Each reads the file again, so changes by hand and by other wrappers stay.
   */
  save(changes: SettingChanges): Promise<void>
}

/** Settings to save, in the text form of the files, without characters that XML forbids. */
type SettingChanges = Readonly<Partial<Record<UserSettingName, string>>>

/**
 * Reads the settings. The first launch of a version creates the user's file with the settings of the newest older version, or wrapper
 * (spec 2.2). A damaged user's file is renamed to `user.config.bad-<time>`, and defaults apply. A damaged file in the
 * application root stops the start.
 */
export async function loadSettings(options: FindSettingsOptions): Promise<LoadedSettings> {
  const { brand } = options
  const found = await findSettings(options)
  const { application, user, older } = found
  if ('error' in application) throw withRemedy(application.error)
  if (user.state === 'unreadable') throw user.error
  const resolved = resolveSettings(brand, found)
  for (const { setting, problem } of resolved.faults)
    throw new ConfigFileError(application.file, `the setting ${setting} ${problem}`)
  const unreads = application.state === 'read' ? application.content.notices : []
  const ofAppUrl = ({ setting }: SettingNotice) => setting === 'AppUrl'
  const unread = unreads.find(ofAppUrl) ?? unreads[0] ?? resolved.notices.find(ofAppUrl)
  if (unread && !URL.canParse(resolved.values.AppUrl))
    throw new ConfigFileError(application.file, `AppUrl is not set, and ${unread.setting} ${unread.problem}`)
  if (user.state === 'damaged') await setAside(user.file)
  // A new file has no settings: the application file and the defaults count.
  if (user.state !== 'read')
    await writeConfigText(user.file, older ? asUtf8(older.text) : writeUserConfig(brand, {}))
  if (older)
    await noteAdoption(options.folders.userFolder, older).catch(error => {
      throw unwritable(user.file, error)
    })
  const { file } = application
  return { ...resolved, file, events: eventsOf(found, resolved), save: settingsSaver(brand, user.file) }
}

/** Declares the encoding in which a file is written. */
function asUtf8(text: string): string {
  return text.replace(/^(\ufeff?<\?xml[^>]*?encoding\s*=\s*)(["'])[^"']*\2/, '$1$2utf-8$2')
}

function eventsOf(
  { user, exposure, older }: FoundSettings,
  { notices, unknown }: ResolvedSettings,
): readonly WrapperEvent[] {
  const events: WrapperEvent[] = []
  if (exposure) events.push({ type: 'configuration-exposed', of: exposure.place, problem: exposure.problem })
  if (user.state === 'damaged') events.push({ type: 'settings-damaged' })
  if (older) events.push({ type: 'settings-carried-over', fromVersion: older.version })
  for (const notice of notices) events.push({ type: 'setting-ignored', ...notice })
  if (unknown.length > 0) events.push({ type: 'settings-unknown', names: unknown.join(', ') })
  return events
}

function settingsSaver(brand: Brand, file: string): (changes: SettingChanges) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return changes => {
    const saved = last.then(async () => {
      const found = await readConfigText(file)
      const text = writeUserConfig(brand, changes, found === undefined ? undefined : { text: found, file })
      if (text !== found) await writeConfigText(file, text)
    })
    last = saved.catch(() => undefined)
    return saved
  }
}

async function writeConfigText(file: string, text: string): Promise<void> {
  await replaceFile(file, text).catch(error => {
    throw unwritable(file, error)
  })
}

async function setAside(file: string): Promise<void> {
  await rename(file, `${file}.bad-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`).catch(error => {
    // Another wrapper may have done it.
    if (failureReason(error) !== 'ENOENT') throw unwritable(file, error)
  })
}

function withRemedy({ file, problem, line, column }: ConfigFileError): ConfigFileError {
  return new ConfigFileError(file, `${problem.replace(/\.?$/, '.')} ${neededRemedy}`, line, column)
}

function unwritable(file: string, error: unknown): ConfigFileError {
  return new ConfigFileError(
    file,
    `cannot be written (${failureReason(error)}); its folder must be one that this user may write to (unless the wrapper is packed, SERVICE_WRAPPER_DATA can name another)`,
  )
}
