import {
  type Brand,
  defineError,
  isKnownCulture,
  type SettingDefinition,
  type SettingName,
  type Settings,
  settingsTable,
} from '@service-link/protocol-core'
import type { ConfigFile, FoundConfigFile } from './config-file.ts'
import type { FoundSettings } from './find-settings.ts'
import { belowSite, oldSettings, updatePathName } from './old-settings.ts'
import { knownNames, type SettingNotice } from './setting-groups.ts'
import { unworkableAddress } from './unworkable-address.ts'

export type SettingOrigin = 'default' | 'application file' | 'user file' | 'machine policy' | 'user policy'

export interface ResolvedSettings {
  readonly values: Settings
  readonly origins: Readonly<Record<SettingName, SettingOrigin>>
  /** Settings without effect: in policies or the user's file, of older wrappers, or an engine or update site that is not taken. */
  readonly notices: readonly SettingNotice[]
  /** Settings in the application file that prevent the start. Their values here are the defaults. */
  readonly faults: readonly SettingNotice[]
  /** Names in both files that mean nothing here. A save keeps them. */
  readonly unknown: readonly string[]
}

/**
 * Decides the value of each setting: the machine's policy, else the user's policy, the user's file, the application file, the default.
 * Global settings of the user and impossible values in policies and the user's file have no effect; the user does not decide what the
 * machine's policy names, also if its value is impossible. In each file a name of an older wrapper counts if ours is missing.
 */
export function resolveSettings(brand: Brand, found: FoundSettings): ResolvedSettings {
  const { policies } = found
  const application = contentOf(found.application)
  const user = contentOf(found.user) ?? found.older?.content
  const ofUser = (name: string) => textOf(name, user?.user, user?.application)
  const ofAll = (name: string) => textOf(name, application?.application, application?.user)
  const table = Object.entries<SettingDefinition>(settingsTable(brand))
  const values: Record<string, unknown> = {}
  const origins: Record<string, SettingOrigin> = {}
  const notices: SettingNotice[] = [...policies.notices]
  const faults: SettingNotice[] = []
  for (const [setting, definition] of table) {
    const read = (origin: SettingOrigin, text: string | undefined, fail: (problem: string) => void) => {
      if (text === undefined || setting in origins) return
      const parsed = definition.parse.safeParse(text)
      if (parsed.success) {
        values[setting] = parsed.data
        origins[setting] = origin
      } else if (text.trim() !== '' || origin.endsWith('policy'))
        fail(parsed.error.issues[0]?.message ?? 'is not acceptable')
    }
    const readOld = (origin: SettingOrigin, find: typeof ofUser) => {
      const old = brand.readsOldSettings ? oldSettings[setting] : undefined
      if (!old?.names.some(find)) return
      // Older wrappers wrote changed values only.
      const text = old.translate(...old.names.map(name => (find(name) ?? ofAll(name) ?? '').trim()))
      read(origin, text, problem =>
        notices.push({ setting, problem: `is not taken from ${old.names.join(', ')}: it ${problem}` }),
      )
    }
    // What the machine's policy names is not the user's to decide, also if its value is impossible.
    const isOrdered = policies.machine.has(setting)
    const whose = isOrdered ? 'machine' : 'user'
    read(`${whose} policy`, policies[whose].get(setting), problem =>
      notices.push({ setting, problem: `in the policy of the ${whose} ${problem}` }),
    )
    if (definition.scope === 'global' && ofUser(setting) !== undefined)
      notices.push({ setting, problem: 'is global and has no effect in the user’s file' })
    else if (!isOrdered)
      read('user file', ofUser(setting), problem =>
        notices.push({ setting, problem: `in the user’s file ${problem}` }),
      )
    if (!isOrdered) readOld('user file', ofUser)
    read('application file', ofAll(setting), problem =>
      isForgiven(setting)
        ? notices.push({ setting, problem: `${problem}; the default is used` })
        : faults.push({ setting, problem }),
    )
    readOld('application file', ofAll)
    read('default', definition.defaultText, () => undefined)
  }
  const settings = values as Settings
  const { path, isOutranked } = chooseUpdatePath(origins.UpdateUrl, {
    user: (brand.readsOldSettings && ofUser(updatePathName)?.trim()) || '',
    application: (brand.readsOldSettings && ofAll(updatePathName)?.trim()) || '',
  })
  const updateUrl = belowSite(settings.UpdateUrl, path)
  const withoutPath = (why: string) =>
    notices.push({ setting: 'UpdateUrl', problem: `is taken without ${updatePathName}, which ${why}` })
  if (updateUrl === undefined) withoutPath('is no folder')
  if (isOutranked) withoutPath(`changes none of the ${origins.UpdateUrl}`)
  for (const setting of ['SsoUrl', 'UpdateUrl']) {
    const problem = unworkableAddress(setting, String(values[setting]))
    if (problem !== undefined) notices.push({ setting, problem })
  }
  if (settings.Culture !== 'und' && dateCultureOf(settings) === 'und')
    notices.push({
      setting: 'Culture',
      problem:
        'names no language that is known here, so that a date with its day or month first cannot be read; write a language tag such as nb-NO',
    })
  const known = knownNames(brand)
  notices.push(...(application?.notices ?? []))
  for (const { setting, problem } of user?.notices ?? [])
    notices.push({ setting, problem: `in the user’s file ${problem}` })
  const names = [application, user].flatMap(file => [
    ...(file?.application.keys() ?? []),
    ...(file?.user.keys() ?? []),
  ])
  return {
    values: { ...settings, UpdateUrl: updateUrl ?? settings.UpdateUrl },
    origins: origins as Record<SettingName, SettingOrigin>,
    notices,
    faults,
    unknown: [...new Set(names.filter(name => !known.includes(name)))],
  }
}

/** A setting that changes another one counts beside one of its own file, or of a weaker place. */
function chooseUpdatePath(
  ofUrl: SettingOrigin | undefined,
  { user, application }: { readonly user: string; readonly application: string },
): { readonly path: string; readonly isOutranked: boolean } {
  if (ofUrl === 'default') return { path: user || application, isOutranked: false }
  const isOfPolicy = ofUrl !== 'application file'
  return {
    path: isOfPolicy ? '' : application,
    isOutranked: user !== '' || (isOfPolicy && application !== ''),
  }
}

/**
 * A file of an older wrapper may name an engine of its own, or an update site without encryption. Neither may stop the work of a clinic
 * after an update.
 */
function isForgiven(setting: string): boolean {
  return setting === 'BrowserEngine' || setting === 'UpdateUrl'
}

/** The culture that tells day and month of a date apart: `und` for none, `undefined` for the machine's. */
export function dateCultureOf({ Culture: culture }: Settings): string | undefined {
  if (culture === '') return undefined
  return isKnownCulture(culture) ? culture : 'und'
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

/**
 * The setting `AppUrl` is not the address of a web app.
 *
 * @remedy Write the whole address of the web app into the setting `AppUrl`.
 * @retry no
 * @seenBy administrator, integrator
 */
export class AppUrlError extends defineError('ERR_APP_URL', (file: string) => ({
  message: `The setting AppUrl is not an http or https address. Write it whole, such as https://app.example/, into ${file}.`,
  /** The configuration file in the application root. */
  file,
})) {}

/** @throws {AppUrlError} naming the configuration file */
export function checkAppUrl(text: string, file: string): URL {
  const url = readAppUrl(text)
  if (!url) throw new AppUrlError(file)
  return url
}

/** Reads the setting `AppUrl`. Returns nothing if it is not set, or not the address of a web app. */
export function readAppUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}
