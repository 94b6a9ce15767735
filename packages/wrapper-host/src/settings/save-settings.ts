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
import { type InstanceLock, tryLockInstance } from '../start/instance-lock.ts'
import { PrivateFolderError } from '../start/private-folder.ts'
import { decodeConfigText, readConfigBytes, writeConfigText } from './config-disk.ts'
import { ConfigFileError, editUserSettings, writeUserConfig } from './config-file.ts'
import { settingsGroup } from './find-settings.ts'
import { problemOf } from './resolve-settings.ts'

/** Settings to save, in the text form of the files. */
type SettingChanges = Readonly<Partial<Record<UserSettingName, string>>>

/**
 * Makes the function that saves a user's settings. Saves run one after another under the lock of the user's settings. Each
 * reads the file anew, so changes by hand and by other wrappers stay. An unchanged file is not written.
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
  if (text !== found) await writeConfigText(file, text)
}

function checkChanges(brand: Brand, changes: SettingChanges): ReadonlyMap<string, string> {
  const table: Readonly<Record<string, SettingDefinition>> = settingsTable(brand)
  for (const [name, value] of Object.entries(changes)) {
    const definition = Object.hasOwn(table, name) ? table[name] : undefined
    if (definition?.scope !== 'user') throw new SettingError(name, 'is none that a user has an own value of')
    if (findForbiddenCharacter(value) !== -1)
      throw new SettingError(name, 'has a character that XML does not allow')
    const parsed = definition.parse.safeParse(value)
    if (!parsed.success) throw new SettingError(name, problemOf(parsed.error))
  }
  return new Map(Object.entries(changes))
}

/** A setting cannot be saved: it is for all users, or its value is impossible. */
export class SettingError extends ServiceLinkError<'ERR_SETTING'> {
  readonly code = 'ERR_SETTING'
  readonly setting: string

  constructor(setting: string, problem: string) {
    super(`The setting ${setting} ${problem}.`)
    this.setting = setting
  }
}

/** Others hold the lock while they read and write a small file. */
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
 * Some file servers have no such locks: there the change runs without one, since a rare lost change is better than no save.
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
      throw new ConfigFileError(file, 'could not be changed: another wrapper of this user is at it')
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
