import {
  type Brand,
  type SettingDefinition,
  type SettingName,
  type SettingScope,
  type Settings,
  settingsTable,
} from '@service-link/protocol-core'
import { type ConfigFile, ConfigFileError } from './read-config-file.ts'

/** Where a setting's value came from. */
export type SettingOrigin = 'default' | 'application file' | 'user file'

/** Something in the files that has no effect, for the log. */
export interface SettingNotice {
  readonly setting: string
  readonly problem: string
}

/** Every setting with its value and origin. */
export interface ResolvedSettings {
  readonly values: Settings
  readonly origins: Readonly<Record<SettingName, SettingOrigin>>
  readonly notices: readonly SettingNotice[]
}

/** The two files, where they are there; their names are for messages. */
export interface SettingFiles {
  readonly application?: { readonly file: string; readonly content: ConfigFile } | undefined
  readonly user?: { readonly file: string; readonly content: ConfigFile } | undefined
}

/**
 * Decides each setting: a user's own value, else the application file's, else the default. A global setting in the user's
 * file has no effect and is reported; an unacceptable value in the user's file is reported and passed over.
 *
 * @throws {ConfigFileError} when the application file holds a value that the setting does not take
 */
export function resolveSettings(brand: Brand, files: SettingFiles): ResolvedSettings {
  const notices: SettingNotice[] = []
  const values: Record<string, unknown> = {}
  const origins: Record<string, SettingOrigin> = {}
  for (const [name, definition] of Object.entries<SettingDefinition>(settingsTable(brand))) {
    const chosen =
      readUser(name, definition, files, notices) ??
      readApplication(name, definition, files) ??
      readDefault(definition)
    values[name] = chosen.value
    origins[name] = chosen.origin
  }
  return { values: values as Settings, origins: origins as Record<SettingName, SettingOrigin>, notices }
}

interface Chosen {
  readonly value: unknown
  readonly origin: SettingOrigin
}

function readUser(
  name: string,
  definition: SettingDefinition,
  { user }: SettingFiles,
  notices: SettingNotice[],
): Chosen | undefined {
  const text = user?.content.user.get(name) ?? user?.content.application.get(name)
  if (text === undefined) return undefined
  if (definition.scope === ('global' satisfies SettingScope)) {
    notices.push({ setting: name, problem: 'is global and has no effect in the user’s file' })
    return undefined
  }
  const parsed = definition.parse.safeParse(text)
  if (parsed.success) return { value: parsed.data, origin: 'user file' }
  notices.push({ setting: name, problem: `in the user’s file ${problemOf(parsed.error)}` })
  return undefined
}

function readApplication(
  name: string,
  definition: SettingDefinition,
  { application }: SettingFiles,
): Chosen | undefined {
  const text = application?.content.application.get(name) ?? application?.content.user.get(name)
  if (application === undefined || text === undefined) return undefined
  const parsed = definition.parse.safeParse(text)
  if (parsed.success) return { value: parsed.data, origin: 'application file' }
  throw new ConfigFileError(application.file, `the setting ${name} ${problemOf(parsed.error)}`)
}

function readDefault(definition: SettingDefinition): Chosen {
  return { value: definition.parse.parse(definition.defaultText), origin: 'default' }
}

function problemOf(error: { readonly issues: readonly { readonly message: string }[] }): string {
  return error.issues[0]?.message ?? 'is not acceptable'
}
