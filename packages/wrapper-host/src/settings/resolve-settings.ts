import {
  type Brand,
  ServiceLinkError,
  type SettingDefinition,
  type SettingName,
  type Settings,
  settingsTable,
} from '@service-link/protocol-core'
import type { ConfigFile } from './config-file.ts'
import type { FoundConfigFile, FoundSettings } from './find-settings.ts'

/** The source of a setting's value. */
export type SettingOrigin = 'default' | 'application file' | 'user file'

/** A setting in a file without effect. */
interface SettingNotice {
  readonly setting: string
  /** A clause without the value. */
  readonly problem: string
}

/** Every setting with its value and origin. */
export interface ResolvedSettings {
  readonly values: Settings
  readonly origins: Readonly<Record<SettingName, SettingOrigin>>
  /** Settings in the user's file without effect. */
  readonly notices: readonly SettingNotice[]
  /** Settings in the application file that prevent the start. Their values here are the defaults. */
  readonly faults: readonly SettingNotice[]
}

/**
 * Decides the value of each setting: the user's, else the application file's, else the default. Global settings and impossible
 * values in the user's file have no effect.
 */
export function resolveSettings(brand: Brand, found: FoundSettings): ResolvedSettings {
  const application = contentOf(found.application)
  const user = contentOf(found.user) ?? found.older?.content
  const values: Record<string, unknown> = {}
  const origins: Record<string, SettingOrigin> = {}
  const notices: SettingNotice[] = []
  const faults: SettingNotice[] = []
  for (const [name, definition] of Object.entries<SettingDefinition>(settingsTable(brand))) {
    const chosen =
      readUser(name, definition, user, notices) ??
      readApplication(name, definition, application, faults) ??
      readDefault(definition)
    values[name] = chosen.value
    origins[name] = chosen.origin
  }
  return {
    values: values as Settings,
    origins: origins as Record<SettingName, SettingOrigin>,
    notices,
    faults,
  }
}

/** The fault of a value as a clause, without the value. */
export function problemOf(error: { readonly issues: readonly { readonly message: string }[] }): string {
  return error.issues[0]?.message ?? 'is not acceptable'
}

function contentOf(file: FoundConfigFile): ConfigFile | undefined {
  return file.state === 'read' ? file.content : undefined
}

/** Finds the text in the first section that has one. A placeholder such as `{app_url}` is no value. */
function textOf(
  setting: string,
  ...sections: readonly (ReadonlyMap<string, string> | undefined)[]
): string | undefined {
  return sections
    .map(section => section?.get(setting))
    .find(text => text !== undefined && !/^\s*\{[a-z_]+\}\s*$/.test(text))
}

interface Chosen {
  readonly value: unknown
  readonly origin: SettingOrigin
}

function readUser(
  setting: string,
  definition: SettingDefinition,
  content: ConfigFile | undefined,
  notices: SettingNotice[],
): Chosen | undefined {
  const text = textOf(setting, content?.user, content?.application)
  if (text === undefined) return undefined
  if (definition.scope === 'global') {
    notices.push({ setting, problem: 'is global and has no effect in the user’s file' })
    return undefined
  }
  const parsed = definition.parse.safeParse(text)
  if (parsed.success) return { value: parsed.data, origin: 'user file' }
  notices.push({ setting, problem: `in the user’s file ${problemOf(parsed.error)}` })
  return undefined
}

function readApplication(
  setting: string,
  definition: SettingDefinition,
  content: ConfigFile | undefined,
  faults: SettingNotice[],
): Chosen | undefined {
  const text = textOf(setting, content?.application, content?.user)
  if (text === undefined) return undefined
  const parsed = definition.parse.safeParse(text)
  if (parsed.success) return { value: parsed.data, origin: 'application file' }
  faults.push({ setting, problem: problemOf(parsed.error) })
  return undefined
}

function readDefault(definition: SettingDefinition): Chosen {
  return { value: definition.parse.parse(definition.defaultText), origin: 'default' }
}

/** The setting `AppUrl` is not the address of a web app. */
export class AppUrlError extends ServiceLinkError<'ERR_APP_URL'> {
  readonly code = 'ERR_APP_URL'

  constructor() {
    super(
      'The setting AppUrl is not an http or https address. Set it in the configuration file in the application root.',
    )
  }
}

/** Reads the address of the web app. */
export function checkAppUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new AppUrlError()
  return url
}
