import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute } from 'node:path'
import { promisify } from 'node:util'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import type { Engine } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { windowPlatform } from '../platform/current-platform.ts'
import { findOnPath } from '../platform/find-on-path.ts'
import type { BrowserFamily, BrowserPlace, Environment, WindowPlatform } from '../platform/window-platform.ts'
import { externalOpener, type OpenExternal } from '../web-address.ts'
import { openChromiumWindow } from './open-chromium-window.ts'

/** Options of {@link createChromiumEngine}. */
export interface ChromiumEngineOptions {
  /** Name of the engine. Default `EoWebBrowser`, or `Headless` without a window. */
  readonly name?: string | undefined
  /** Draws without a window, for servers and tests. Default false. */
  readonly isHeadless?: boolean | undefined
  /** Path of the browser. Default: the variable `SERVICE_BROWSER`, else an installed browser. */
  readonly executable?: string | undefined
  /** Family that is preferred to all others. Default: the platform's order. */
  readonly preferredFamily?: BrowserFamily | undefined
  /** Longest wait for the browser to show its window, in milliseconds. Default 30,000. */
  readonly startTimeoutMs?: number | undefined
  /** Opens links that lead out of the web app. Default: as the operating system does. */
  readonly openExternal?: OpenExternal | undefined
  /** Variables that name browser and display; the browser gets them too. Default `process.env`. */
  readonly environment?: Environment | undefined
}

/**
 * An engine that draws with an installed browser of the Chromium family, in app mode. It drives the browser through a pipe; no port
 * is open. Each window has a new profile, which is removed with it.
 *
 * @example
 * ```ts
 * import { createChromiumEngine } from '@service-link/window-engine'
 *
 * const engine = createChromiumEngine({ isHeadless: true })
 * const { isAvailable, reason } = await engine.probe()
 * ```
 */
export function createChromiumEngine(options: ChromiumEngineOptions = {}): Engine {
  assertParameter('options', options, 'closed', {
    name: 'text?',
    isHeadless: 'boolean?',
    executable: 'text?',
    preferredFamily: [undefined, 'chrome', 'edge', 'chromium'],
    startTimeoutMs: milliseconds,
    openExternal: 'function?',
    environment: 'object?',
  })
  const { isHeadless = false, startTimeoutMs = 30_000 } = options
  const { preferredFamily, environment = process.env } = options
  const { name = isHeadless ? 'Headless' : 'EoWebBrowser' } = options
  const platform = windowPlatform()
  const { openExternal = externalOpener(platform) } = options

  async function locate(): Promise<{ readonly executable: string } | { readonly reason: string }> {
    const reason = isHeadless ? undefined : platform.displayProblem(environment)
    if (reason !== undefined) return { reason }
    const named = options.executable
    if (named === undefined) return findBrowser({ platform, environment, preferredFamily })
    const executable = basename(named) === named ? findOnPath(named, environment) : named
    if (executable !== undefined && (await isExecutable(executable))) return { executable }
    return { reason: 'The option executable must be the whole path of a browser that can be started.' }
  }

  return {
    name,
    async probe(signal, { isDescribed = true } = {}) {
      const found = await locate()
      if ('reason' in found) return { isAvailable: false, reason: found.reason }
      const reason = await platform.drivingProblem?.(found.executable, environment)
      if (reason !== undefined) return { isAvailable: false, reason }
      if (!isDescribed) return { isAvailable: true }
      return { isAvailable: true, description: await describeBrowser(found.executable, platform, signal) }
    },
    async open(windowOptions) {
      assertParameter('options', windowOptions, 'object', {
        url: 'text',
        profileFolder: 'text',
        userAgentSuffix: 'text',
        pageScript: 'text',
        allowedOrigins: 'list',
        applicationId: 'text?',
      })
      assertParameter('options.look', windowOptions.look, 'object?', { color: 'text' })
      // It stands in style sheets.
      const { color = '#000000' } = windowOptions.look ?? {}
      if (!/^#[\da-f]{6}$/i.test(color)) throw new ParameterError('options.look.color', 'a color, #rrggbb')
      const found = await locate()
      if ('reason' in found) throw new EngineError('not-available', found.reason)
      const browser = { executable: found.executable, isHeadless, platform, environment, openExternal }
      const all = { ...windowOptions, ...browser, startTimeoutMs, engine: name }
      const isNamed = options.executable === undefined && Boolean(environment.SERVICE_BROWSER)
      return openChromiumWindow(all).catch((error: unknown) => {
        if (!isNamed || !(error instanceof EngineError && error.fault === 'did-not-start')) throw error
        throw new EngineError(
          error.fault,
          `${error.message} The variable ${browserVariable} names this program: correct or remove it.`,
        )
      })
    },
  }
}

/** Values of the setting `BrowserEngine`, in upper or lower case (spec 2.2). `Headless` is an addition. */
export const engineNames = ['EoWebBrowser', 'InternetExplorer', 'Headless'] as const

/** Options of {@link selectEngine}. */
export type SelectEngineOptions = Pick<ChromiumEngineOptions, 'openExternal'>

/**
 * Makes the engine that the setting `BrowserEngine` names. It does not look for a browser; {@link Engine.probe} does.
 *
 * @throws {EngineError} `not-available` when there is no engine of this name
 */
export function selectEngine(name: string, options: SelectEngineOptions = {}): Engine {
  assertParameter('name', name, 'text')
  assertParameter('options', options, 'closed', { openExternal: 'function?' })
  const folded = name.trim().toLowerCase()
  const known = engineNames.find(engine => engine.toLowerCase() === folded)
  if (!known)
    throw new EngineError(
      'not-available',
      `The setting BrowserEngine names no engine. Known: ${engineNames.join(', ')}.`,
    )
  const isEdge = known === 'InternetExplorer' && process.platform === 'win32'
  return createChromiumEngine({
    ...options,
    name: known,
    isHeadless: known === 'Headless',
    ...(isEdge ? { preferredFamily: 'edge' as const } : {}),
  })
}

/**
 * Checks that an engine can open a window. Starts no browser.
 *
 * @throws {EngineError} `not-available`, with the reason and the remedy
 */
export async function probeEngine(engine: Engine, signal?: AbortSignal): Promise<void> {
  const probe = await engine.probe(signal, { isDescribed: false })
  assertParameter('engine.probe()', probe, 'object', { isAvailable: 'boolean', reason: 'text?' })
  if (probe.isAvailable) return
  throw new EngineError('not-available', probe.reason ?? `The engine ${engine.name} is not available here.`)
}

interface FindBrowserOptions {
  readonly platform: WindowPlatform
  readonly environment: Environment
  readonly preferredFamily?: BrowserFamily | undefined
}

/** Variable that names the browser's executable. It has priority over the installed ones. */
const browserVariable = 'SERVICE_BROWSER'

/** Finds an installed browser. Returns the executable's path, or a sentence with the reason and the remedy. */
export async function findBrowser(
  options: FindBrowserOptions,
): Promise<{ readonly executable: string } | { readonly reason: string }> {
  const { platform, environment, preferredFamily } = options
  const named = environment.SERVICE_BROWSER
  if (named) {
    if (await isExecutable(named)) return { executable: named }
    return {
      reason: `The variable ${browserVariable} names no program that can be started. Correct or remove it.`,
    }
  }
  const isOther = ({ family }: BrowserPlace) => Number(family !== preferredFamily)
  const places = platform.browserPlaces(environment).toSorted((one, other) => isOther(one) - isOther(other))
  for (const { executable } of places) if (await isExecutable(executable)) return { executable }
  return {
    reason: `No browser was found. Install Google Chrome, Microsoft Edge or Chromium, or set ${browserVariable}, which a packed wrapper ignores, to the path of one.`,
  }
}

async function isExecutable(path: string): Promise<boolean> {
  if (!isAbsolute(path)) return false
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

const askMs = 10_000

/**
 * Name and version of a browser, for people. Returns such as `Chromium 156.0.8078.79`, or the file's name if the version is not
 * known.
 */
async function describeBrowser(
  executable: string,
  platform: WindowPlatform,
  signal?: AbortSignal,
): Promise<string> {
  const name = basename(executable).replace(/\.exe$/i, '')
  try {
    if (platform.versionSource === 'folder') {
      const version = (await readdir(dirname(executable)))
        .filter(entry => /^\d+(\.\d+){3}$/.test(entry))
        .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
        .at(-1)
      return version ? `${name} ${version}` : name
    }
    const options = { timeout: askMs, maxBuffer: 64 * 1024, ...(signal ? { signal } : {}) }
    const { stdout } = await promisify(execFile)(executable, ['--version'], options)
    return /^[\w .()-]*?\d+(?:\.\d+){1,3}/.exec(stdout.trim())?.[0] ?? name
  } catch {
    signal?.throwIfAborted()
    return name
  }
}
