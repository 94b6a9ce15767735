import { isAbsolute } from 'node:path'
import {
  assertBrand,
  assertParameter,
  type Brand,
  compareVersions,
  defaultBrand,
  formatVersion,
  isKnownCulture,
  minimumPipeVersion,
  ParameterError,
  parseVersion,
} from '@service-link/protocol-core'
import { milliseconds } from '@service-link/protocol-core/time'
import type { Engine, OpenExternal } from '@service-link/window-engine'
import { checkOwnNames, type OwnProviders } from '../launch/provider-table.ts'
import {
  folderMembers,
  OptionError,
  type WrapperFolders,
  wrapperVersion,
} from '../settings/wrapper-folders.ts'
import { type OwnTexts, problemsOfTexts, textNames } from '../texts/load-texts.ts'
import type { Tray } from '../tray/tray.ts'

/** Options of `createWrapper`. Every option has a default. */
export interface CreateWrapperOptions {
  /** Names of the executable, its files and its pipe. Default: the specification's neutral names. */
  readonly brand?: Brand | undefined
  /** Version of the integrator's executable, four parts, at least 2.1.4.19787. Default: this package's. */
  readonly version?: string | undefined
  /** Draws the window. Default: the engine of the setting `BrowserEngine`. */
  readonly engine?: Engine | undefined
  /**
   * Providers of your program by type name, `<Type>, <Assembly>`. They add to the built-in ones and to the modules in the folder
   * `providers` of the application root. A launch or the setting `ProtocolProvider` chooses one by its name. Default: none.
   */
  readonly providers?: OwnProviders | undefined
  /** Application root and per-user folder. Default: {@link locateFolders}. */
  readonly folders?: WrapperFolders | undefined
  /** Longest wait for the web app to answer one command, and for a sign-in, in milliseconds, 1 to 2,147,483,647. Default 30,000. */
  readonly commandTimeoutMs?: number | undefined
  /**
   * Icon in the notification area, with Show, Sign out and Close. `false`: none. Default: `createTray`, but none with an
   * engine of your own or without a window. If it cannot be shown, the wrapper reports that and goes on.
   */
  readonly tray?: Tray | false | undefined
  /**
   * Language of the wrapper's own words, BCP 47: `en`, `nb`, `sv`, `da`, `fi` and `de` are there. Default: the setting `Culture`, else
   * the machine's; English for one that is not there.
   */
  readonly language?: string | undefined
  /** Single words of your own for the person at the desktop: plain text, at most 300 characters, 60 for labels. Default: none. */
  readonly texts?: OwnTexts | undefined
  /** Opens links that lead out of the web app, and the installer of a newer version. Default: the operating system. */
  readonly openExternal?: OpenExternal | undefined
  /**
   * Command that starts your program: the absolute path of its executable, then arguments before those of a launch. Each start
   * notes it with the version for `locateWrapper` of pipe-client: in `install.json` of the per-user folder, and in the registry of
   * Windows if the executable has the brand's name. Default: nothing is noted.
   */
  readonly installedAs?: readonly string[] | undefined
  /** Gets warnings and errors, each as a sentence without personal data. Default: nobody. */
  readonly onNotice?: ((sentence: string) => void) | undefined
}

/** Options of `Wrapper.start`. */
export interface StartOptions {
  /**
   * Ends the start: it takes back its steps, frees the instance and rejects with the signal's reason. The running wrapper may still
   * carry out a launch that it has. No effect after the start; `RunningWrapper.close` ends the wrapper.
   */
  readonly signal?: AbortSignal | undefined
}

/** The checked options. Brand, version and time-out have their defaults. */
export interface WrapperOptions extends CreateWrapperOptions {
  readonly brand: Brand
  readonly version: string
  readonly commandTimeoutMs: number
}

/** Checks the options and adds defaults. Throws what `createWrapper` throws. */
export function readOptions(options: CreateWrapperOptions): WrapperOptions {
  checkKinds(options)
  const { brand = defaultBrand, version = wrapperVersion, commandTimeoutMs = 30_000 } = options
  if (compareVersions(parseVersion(version), minimumPipeVersion) < 0)
    throw new OptionError(
      'version',
      `at least ${formatVersion(minimumPipeVersion)}: clients look for no pipe in an older wrapper`,
    )
  for (const folder of Object.values(options.folders ?? {}))
    if (!isAbsolute(folder)) throw new OptionError('folders', 'absolute paths')
  if (options.installedAs && !isAbsolute(options.installedAs[0] ?? ''))
    throw new OptionError('installedAs', 'the absolute path of an executable first')
  checkOwnNames(brand, options.providers ?? {})
  return { ...options, brand, version, commandTimeoutMs }
}

function checkKinds(options: CreateWrapperOptions): void {
  const members = {
    brand: 'any',
    version: 'text?',
    engine: 'any',
    providers: 'object?',
    folders: 'any',
    commandTimeoutMs: milliseconds,
    tray: 'any',
    language: 'text?',
    texts: 'any',
    openExternal: 'function?',
    installedAs: 'list?',
    onNotice: 'function?',
  } as const
  assertParameter('options', options, 'closed', members, { timeoutms: 'commandTimeoutMs', appurl: 'brand' })
  const { brand, engine, folders, tray, language, texts, providers = {}, installedAs = [] } = options
  if (brand !== undefined) assertBrand('options.brand', brand)
  assertParameter('options.engine', engine, 'object?', { name: 'text', probe: 'function', open: 'function' })
  assertParameter('options.folders', folders, 'closed?', folderMembers)
  const textKinds = Object.fromEntries(textNames.map(name => [name, 'text?'] as const))
  assertParameter('options.texts', texts, 'closed?', textKinds)
  if (language !== undefined && !isKnownCulture(language))
    throw new ParameterError('options.language', 'a language tag such as nb')
  for (const [name, problem] of problemsOfTexts({ ...texts }))
    throw new ParameterError(`options.texts.${name}`, problem, `${problem}.`)
  if (tray !== false) assertParameter('options.tray', tray, 'object?', { name: 'text', open: 'function' })
  for (const [name, provider] of Object.entries(providers))
    assertParameter(`options.providers["${name}"]`, provider, 'object', { provide: 'function' })
  for (const part of installedAs) assertParameter('options.installedAs', part, 'text')
}
