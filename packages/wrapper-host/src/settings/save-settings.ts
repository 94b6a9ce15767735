import {
  type Brand,
  type SettingDefinition,
  settingsTable,
  type UserSettingName,
} from '@service-link/protocol-core'
import { checkConfigText } from './check-config-text.ts'
import { editUserSettings } from './edit-config-file.ts'
import { settingsGroup } from './find-settings.ts'
import { decodeConfigText, readConfigBytes } from './read-config-text.ts'
import { problemOf } from './resolve-settings.ts'
import { SettingError } from './setting-error.ts'
import { withSettingsLock } from './settings-lock.ts'
import { writeUserConfig } from './write-config-file.ts'
import { writeConfigText } from './write-config-text.ts'
import { isXmlText } from './xml-characters.ts'

/** Settings to be saved, each as the files write it. */
export type SettingChanges = Readonly<Partial<Record<UserSettingName, string>>>

/**
 * Makes the function that saves a user's settings. Saves follow one another; each reads the file anew, so that what was
 * changed by hand meanwhile stays, and holds the lock of the user's settings, so that no other wrapper's change is lost. A file that says so already is not written.
 *
 * @param file the user's file
 */
export function settingsSaver(brand: Brand, file: string): (changes: SettingChanges) => Promise<void> {
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
  checkConfigText(text.replace(/^\uFEFF/, ''), file)
  if (text !== found) await writeConfigText(file, text)
}

function checkChanges(brand: Brand, changes: SettingChanges): ReadonlyMap<string, string> {
  const table: Readonly<Record<string, SettingDefinition>> = settingsTable(brand)
  for (const [name, value] of Object.entries(changes)) {
    const definition = Object.hasOwn(table, name) ? table[name] : undefined
    if (definition?.scope !== 'user') throw new SettingError(name, 'is none that a user has an own value of')
    if (!isXmlText(value)) throw new SettingError(name, 'has a character that XML does not allow')
    const parsed = definition.parse.safeParse(value)
    if (!parsed.success) throw new SettingError(name, problemOf(parsed.error))
  }
  return new Map(Object.entries(changes))
}
