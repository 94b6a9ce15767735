import { isAbsolute } from 'node:path'
import {
  assertBrand,
  assertParameter,
  type Brand,
  defaultBrand,
  type SettingName,
  settingsTable,
} from '@service-link/protocol-core'
import { milliseconds } from '@service-link/protocol-core/time'
import type { Provider } from '../launch/provider.ts'
import { folderMembers, OptionError, type WrapperFolders } from '../settings/wrapper-folders.ts'
import { allHandlerNames, type HostHandlers } from '../web-app/page/messages.ts'
import type { PostedForm } from './memory-engine.ts'

/** Options of `startTestWrapper`. */
export interface TestWrapperOptions {
  /** Handlers of the web app. Default: `createMemoryWebApp`, without persons. */
  readonly webApp?: HostHandlers | undefined
  /** Whether somebody is signed in from the start. Default true. */
  readonly isSignedIn?: boolean | undefined
  /** Whether servers answer from the start. Default true. */
  readonly isOnline?: boolean | undefined
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand | undefined
  /** Version of the wrapper. Default: this package's. */
  readonly version?: string | undefined
  /**
   * Texts of its configuration file. Default: an `AppUrl` without a server, and no check for updates. The file of given `folders`
   * is written if there is none.
   */
  readonly settings?: { readonly [Name in SettingName]?: string | undefined } | undefined
  /**
   * Its two folders, as absolute paths, for a wrapper that is started again: they are made if they are missing, and stay at the
   * end. Default: temporary ones, which `TestWrapper.close` removes.
   */
  readonly folders?: WrapperFolders | undefined
  /** Providers by type name, as for `createWrapper`. Default: none. */
  readonly providers?: Readonly<Record<string, Provider>> | undefined
  /**
   * Command that starts your program, for a test of `launchWrapper` and `startIfNeeded`; as `installedAs` of `createWrapper`.
   * Default: nothing is noted.
   */
  readonly installedAs?: readonly string[] | undefined
  /** Arguments of the launch that starts it. Default: none. */
  readonly argv?: readonly string[] | undefined
  /** Longest wait for the web app to answer one command, in milliseconds. Default 30,000. */
  readonly commandTimeoutMs?: number | undefined
  /** Returns the status for a posted form. A status below 400 signs in. Default: 200. */
  readonly answerPost?: ((post: PostedForm) => number | Promise<number>) | undefined
  /** Called before the wrapper starts, to put files such as providers into its folders. */
  readonly prepare?: ((folders: WrapperFolders) => void | Promise<void>) | undefined
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined
}

/** `createWrapper` checks version, providers and `installedAs`. */
export function assertTestOptions(options: TestWrapperOptions): void {
  const members = {
    webApp: 'any',
    isSignedIn: 'boolean?',
    isOnline: 'boolean?',
    brand: 'any',
    version: 'any',
    settings: 'any',
    folders: 'object?',
    installedAs: 'any',
    providers: 'any',
    argv: 'list?',
    commandTimeoutMs: milliseconds,
    answerPost: 'function?',
    prepare: 'function?',
    signal: 'signal?',
  } as const
  const synonyms = { users: 'webApp', persons: 'webApp', workouts: 'webApp', handlers: 'webApp' }
  assertParameter('options', options, 'closed', members, synonyms)
  const { brand, webApp, settings, folders } = options
  if (folders) assertParameter('options.folders', folders, 'closed', folderMembers)
  for (const folder of Object.values(folders ?? {}))
    if (!isAbsolute(folder)) throw new OptionError('folders', 'absolute paths')
  if (brand !== undefined) assertBrand('options.brand', brand)
  const handlers = allHandlerNames.map(name => [name, 'function?'])
  assertParameter('options.webApp', webApp, 'closed?', Object.fromEntries(handlers))
  const texts = Object.keys(settingsTable(defaultBrand)).map(name => [name, 'text?'])
  assertParameter('options.settings', settings, 'closed?', Object.fromEntries(texts))
}
