import * as z from 'zod/mini'
import { isCulture } from '../person/machine-culture.ts'
import { isThisMachine } from '../text/this-machine.ts'
import type { Brand } from './brand.ts'
import { readTypeName } from './type-name.ts'

/** Scope of a setting: the application root's file for all users, or also each user's file (spec 2.2). */
export type SettingScope = 'global' | 'user'

/** One row of the settings table. Values are text in the files; `parse` gives them their type. */
export interface SettingDefinition<Value = unknown> {
  readonly scope: SettingScope
  /** Value when no file has one, as the files write it. */
  readonly defaultText: string
  readonly parse: z.ZodMiniType<Value, string>
  readonly summary: string
  /** All its values, if these are a few words. */
  readonly choices?: readonly string[] | undefined
}

const text = z.string().check(z.trim())
const filled = text.check(z.minLength(1, { error: 'must be the address of the web app' }))
const word = z.string().check(z.trim(), z.toLowerCase())

/** As .NET writes them. */
const flags = ['True', 'False'] as const
const flag = z.pipe(
  z.pipe(word, z.enum(['true', 'false'], { error: 'must be True or False' })),
  z.transform(value => value === 'true'),
)

/** Engines of the window, the default one first. */
const engines = ['EoWebBrowser', 'InternetExplorer', 'Headless'] as const

function engineName({ defaultEngines }: Brand) {
  const spell = (value: string) => {
    const isSame = (name: string) => name.toLowerCase() === value.toLowerCase()
    return defaultEngines.some(isSame) ? engines[0] : engines.find(isSame)
  }
  return z.pipe(
    z.pipe(text, z.transform(spell)),
    z.enum(engines, { error: `must be one of ${engines.join(', ')}` }),
  )
}

/** Families of browsers that can draw the window. */
const browserFamilies = ['chrome', 'edge', 'chromium']

/** An absolute path of any system, or a family in upper or lower case. */
const browser = z.pipe(
  text.check(
    z.refine(
      value =>
        value === '' ||
        /^(?:[a-z]:[\\/]|\\\\|\/)/i.test(value) ||
        browserFamilies.includes(value.toLowerCase()),
      { error: `must be empty, an absolute path, or one of ${browserFamilies.join(', ')}` },
    ),
  ),
  z.transform(value => (browserFamilies.includes(value.toLowerCase()) ? value.toLowerCase() : value)),
)

const culture = text.check(
  z.refine(value => value === '' || isCulture(value), {
    error: 'must be empty or a language tag such as nb-NO',
  }),
)

function typeName({ providers }: Brand) {
  const error = `must be a type name, "<Type>, <Assembly>", such as ${providers.arguments}`
  return text.check(z.refine(value => readTypeName(value) !== undefined, { error }))
}

/** Bounds of the zoom steps of browsers. */
const zoom = text.check(
  z.refine(
    value => value === '' || (/^\d(\.\d{1,3})?$/.test(value) && Number(value) >= 0.25 && Number(value) <= 5),
    { error: 'must be empty or a number from 0.25 to 5' },
  ),
)

const placement = text.check(
  z.refine(value => value === '' || /^-?\d{1,5},-?\d{1,5},\d{1,5},\d{1,5}$/.test(value), {
    error: 'must be empty or four numbers: left,top,width,height',
  }),
)

/** How much the log holds; `off`: nothing. */
const logLevels = ['error', 'warn', 'info', 'debug', 'off'] as const
const logLevel = z.pipe(word, z.enum(logLevels, { error: 'must be error, warn, info, debug or off' }))

const address = text.check(
  z.refine(value => value === '' || isPlaceholder(value) || isWebAddress(value), {
    error: 'must be empty or an http or https address',
  }),
)

/** Whoever changes an answer on its way would choose what users install. */
const updateSite = address.check(
  z.refine(value => !isWebAddress(value) || isSafeAddress(value), {
    error: 'must be an https address, or http to this machine',
  }),
)

const origins = z.pipe(
  z
    .pipe(
      text,
      z.transform(value => (value === '' ? [] : value.split(/\s+/))),
    )
    .check(
      z.refine(values => values.every(isSafeOrigin), {
        error: 'must be empty or whole https origins such as https://login.example, with blanks between them',
      }),
    ),
  z.transform((values): readonly string[] => values.map(value => new URL(value).origin)),
)

/** `{app_url}`: the specification's word for an address that is not set. */
function isPlaceholder(value: string): boolean {
  return /^\{[a-z_]+\}$/.test(value)
}

function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'https:' || url?.protocol === 'http:'
}

function isSafeOrigin(value: string): boolean {
  const url = URL.parse(value)
  return url?.href === `${url?.origin}/` && !url.hostname.includes('*') && isSafeAddress(value)
}

/** Without encryption only on this machine. */
function isSafeAddress(value: string): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))
}

function row<Value, Scope extends SettingScope>(
  scope: Scope,
  defaultText: string,
  parse: z.ZodMiniType<Value, string>,
  summary: string,
  choices?: readonly string[],
): SettingDefinition<Value> & { readonly scope: Scope } {
  return { scope, defaultText, parse, summary, ...(choices && { choices }) }
}

/**
 * Every setting with its scope, default and reader (spec 2.2; `Browser`, `HideToTray`, `UpdateUrl`, `SsoUrl`, `SignInOrigins`,
 * `Culture`, `Kiosk`, `WindowPlacement`, `Zoom` and `LogLevel` are ours).
 *
 * @param brand gives the defaults that carry a name or an address
 */
export function settingsTable(brand: Brand) {
  return {
    BrowserEngine: row(
      'user',
      engines[0],
      engineName(brand),
      `What draws the window: ${engines.join(', ')}`,
      engines,
    ),
    Browser: row(
      'global',
      '',
      browser,
      'Browser of the window: a path, or chrome, edge or chromium; empty: the first that policies permit',
    ),
    MinimizeOnExit: row(
      'user',
      'True',
      flag,
      'Closing the window minimizes it while somebody is signed in',
      flags,
    ),
    HideToTray: row(
      'user',
      'False',
      flag,
      'The pipe’s hide puts the window into the tray, if an icon is shown there',
      flags,
    ),
    CheckForUpdates: row('user', 'True', flag, 'Check for updates at start and notify the user', flags),
    ProtocolProvider: row(
      'global',
      brand.providers[brand.defaultProvider],
      typeName(brand),
      'Provider of a launch that names none',
    ),
    DistributorName: row('global', '', text, 'Company that built the executable; sent to the service'),
    Debug: row('global', 'False', flag, 'Opens developer tools; not normally changed', flags),
    AppUrl: row('global', brand.appUrl, filled, 'Address of the web app'),
    UpdateUrl: row('global', brand.updateUrl, updateSite, 'Site of the installers and of the update check'),
    SsoUrl: row(
      'global',
      '',
      address,
      'Service to which the partner link posts; empty: the origin of AppUrl',
    ),
    SignInOrigins: row(
      'global',
      '',
      origins,
      'Origins of the sign-in, with blanks between them: their pages stay in the window and may talk to the wrapper',
    ),
    Culture: row(
      'global',
      '',
      culture,
      'Language of the page; order of day and month in dates that are not ISO 8601; empty: the machine’s',
    ),
    Kiosk: row(
      'global',
      'False',
      flag,
      'Full screen; the user can neither close nor minimize the window',
      flags,
    ),
    WindowPlacement: row('user', '', placement, 'Window position and size: left,top,width,height'),
    Zoom: row('user', '', zoom, 'Zoom of the page, 0.25 to 5; empty: its own size'),
    LogLevel: row(
      'user',
      'info',
      logLevel,
      'How much the log holds: error, warn, info, debug; off: nothing',
      logLevels,
    ),
  } as const satisfies Record<string, SettingDefinition>
}

/** Name of a setting, as the files spell it. */
export type SettingName = keyof ReturnType<typeof settingsTable>

/** Name of a setting that each user may change. */
export type UserSettingName = {
  [Name in SettingName]: ReturnType<typeof settingsTable>[Name]['scope'] extends 'user' ? Name : never
}[SettingName]

/** All settings with their values. */
export type Settings = {
  readonly [Name in SettingName]: z.output<ReturnType<typeof settingsTable>[Name]['parse']>
}
