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
  for (const [setting, definition] of Object.entries<SettingDefinition>(settingsTable(brand))) {
    const take = (origin: SettingOrigin, text: string | undefined, fail: (problem: string) => void) => {
      if (text === undefined || setting in origins) return
      const parsed = definition.parse.safeParse(text)
      if (!parsed.success) return fail(parsed.error.issues[0]?.message ?? 'is not acceptable')
      values[setting] = parsed.data
      origins[setting] = origin
    }
    const ofUser = textOf(setting, user?.user, user?.application)
    if (definition.scope === 'global' && ofUser !== undefined)
      notices.push({ setting, problem: 'is global and has no effect in the user’s file' })
    else
      take('user file', ofUser, problem =>
        notices.push({ setting, problem: `in the user’s file ${problem}` }),
      )
    const ofAll = textOf(setting, application?.application, application?.user)
    take('application file', ofAll, problem => faults.push({ setting, problem }))
    take('default', definition.defaultText, () => undefined)
  }
  return {
    values: values as Settings,
    origins: origins as Record<SettingName, SettingOrigin>,
    notices,
    faults,
  }
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
