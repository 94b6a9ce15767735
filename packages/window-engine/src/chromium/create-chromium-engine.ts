import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import type { Engine } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { windowPlatform } from '../platform/current-platform.ts'
import { describeSign, type PolicySign } from '../platform/policies.ts'
import type { BrowserFamily, Environment, WindowPlatform } from '../platform/window-platform.ts'
import { externalOpener, type OpenExternal } from '../web-address.ts'
import { browserVariable, type FoundBrowser, findBrowsers } from './find-browsers.ts'
import { BrowserForbidden, openChromiumWindow } from './open-chromium-window.ts'

/** A browser that was not taken because policies forbid it. */
export interface ForbiddenBrowser {
  /** Name of its program, such as `msedge`. */
  readonly browser: string
  /** Each with its file or registry key; empty if none was found. */
  readonly policies: string
  /** What the browser did, with the remedy. */
  readonly sentence: string
}

/** Options of {@link createChromiumEngine}. */
export interface ChromiumEngineOptions {
  /** Name of the engine. Default `EoWebBrowser`, or `Headless` without a window. */
  readonly name?: string | undefined
  /** Draws without a window, for servers and tests. Default false. */
  readonly isHeadless?: boolean | undefined
  /** Path of the browser. Default: the variable `SERVICE_BROWSER`, else an installed browser. */
  readonly executable?: string | undefined
  /** Absolute path of a browser, or the one family to be used. Default: any installed browser. */
  readonly browser?: string | undefined
  /** Absolute path of a browser that belongs to the program. It is preferred to installed ones. Default: none. */
  readonly ownBrowser?: string | undefined
  /** Learns of a browser that policies forbid, before the next one is tried. Default: nobody. */
  readonly onForbidden?: ((forbidden: ForbiddenBrowser) => void) | undefined
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
 * is open. Each window has a new profile, which is removed with it. When policies forbid the first browser found, the next one is taken.
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
    browser: 'text?',
    ownBrowser: 'text?',
    onForbidden: 'function?',
    preferredFamily: [undefined, 'chrome', 'edge', 'chromium'],
    startTimeoutMs: milliseconds,
    openExternal: 'function?',
    environment: 'object?',
  })
  const { isHeadless = false, startTimeoutMs = 30_000 } = options
  const { preferredFamily, environment = process.env } = options
  const { name = isHeadless ? 'Headless' : 'EoWebBrowser' } = options
  const platform = windowPlatform()
  const { openExternal = externalOpener(platform), onForbidden = () => undefined } = options

  /** The browser of the last window: those before it were forbidden. */
  let last: string | undefined

  async function locate(url?: string): Promise<readonly FoundBrowser[] | string> {
    const reason = isHeadless ? undefined : platform.displayProblem(environment)
    if (reason !== undefined) return reason
    const found = await findBrowsers(
      { ...options, platform, environment, preferredFamily },
      { url, isHeadless },
    )
    if (typeof found === 'string') return found
    const isOther = ({ executable }: FoundBrowser) => Number(executable !== last)
    return found.toSorted((one, other) => isOther(one) - isOther(other))
  }

  return {
    name,
    async probe(signal, { isDescribed = true, url } = {}) {
      const found = await locate(url)
      if (typeof found === 'string') return { isAvailable: false, reason: found }
      if (!isDescribed) return { isAvailable: true }
      const permitted = found.find(({ problems }) => problems.length === 0)
      const notice = found
        .filter(({ problems }) => problems.length > 0)
        .map(describeProblems)
        .join(' ')
      if (!permitted) return { isAvailable: false, reason: notice }
      const description = await describeBrowser(permitted.executable, platform, signal)
      return { isAvailable: true, description, ...(notice === '' ? {} : { notice }) }
    },
    async open(windowOptions) {
      assertParameter('options', windowOptions, 'object', {
        url: 'text',
        profileFolder: 'text',
        userAgentSuffix: 'text',
        pageScript: 'text',
        allowedOrigins: 'list',
      })
      assertParameter('options.look', windowOptions.look, 'object?', { color: 'text' })
      assertParameter('options.identity', windowOptions.identity, 'object?', { id: 'text', name: 'text' })
      // It stands in style sheets.
      const { color = '#000000' } = windowOptions.look ?? {}
      if (!/^#[\da-f]{6}$/i.test(color)) throw new ParameterError('options.look.color', 'a color, #rrggbb')
      const found = await locate(windowOptions.url)
      if (typeof found === 'string') throw new EngineError('not-available', found)
      const all = {
        ...windowOptions,
        isHeadless,
        platform,
        environment,
        openExternal,
        startTimeoutMs,
        engine: name,
      }
      const isNamed = options.executable === undefined && Boolean(environment.SERVICE_BROWSER)
      const forbidden: ForbiddenBrowser[] = []
      for (const browser of found) {
        const { executable } = browser
        try {
          const window = await openChromiumWindow({ ...all, executable })
          last = executable
          return window
        } catch (error) {
          const sign = signOf(error, browser)
          if (sign === undefined) throw nameVariable(error, isNamed)
          const refusal = describeForbidden(browser, sign)
          forbidden.push(refusal)
          if (forbidden.length < found.length) onForbidden(refusal)
        }
      }
      throw forbiddenError(forbidden)
    },
  }
}

/** How a policy showed. A browser that shows nothing in time may wait for its user to sign in to it. */
function signOf(error: unknown, { problems }: FoundBrowser): PolicySign | undefined {
  if (error instanceof BrowserForbidden) return error.sign
  const isSilent = error instanceof EngineError && error.fault === 'timeout'
  return isSilent ? problems[0]?.sign : undefined
}

const nameOf = (executable: string) => basename(executable).replace(/\.exe$/i, '')

function describeForbidden({ executable, problems }: FoundBrowser, sign: PolicySign): ForbiddenBrowser {
  const causes = problems.filter(problem => problem.sign === sign)
  return {
    browser: nameOf(executable),
    policies: causes.map(({ name, place }) => `${name} (${place})`).join(', '),
    sentence: describeSign(sign, problems),
  }
}

function describeProblems({ executable, problems }: FoundBrowser): string {
  const signs = [...new Set(problems.map(({ sign }) => sign))]
  return `${nameOf(executable)}: ${signs.map(sign => describeSign(sign, problems)).join(' ')}`
}

function forbiddenError(forbidden: readonly ForbiddenBrowser[]): EngineError {
  const sentences = forbidden.map(({ browser, sentence }) => `${browser}: ${sentence}`)
  return new EngineError(
    'forbidden',
    `${sentences.join(' ')} Or have a browser installed that no policy forbids.`,
    [...new Set(forbidden.map(({ policies }) => policies))].filter(Boolean).join(', '),
  )
}

/** Says who names a program that is no browser. */
function nameVariable(error: unknown, isNamed: boolean): unknown {
  const isNoBrowser = error instanceof EngineError && error.fault === 'did-not-start'
  if (!isNoBrowser || !isNamed) return error
  const remedy = `The variable ${browserVariable} names this program: correct or remove it.`
  return new EngineError(error.fault, `${error.message} ${remedy}`)
}

/** Values of the setting `BrowserEngine`, in upper or lower case (spec 2.2). `Headless` is an addition. */
export const engineNames = ['EoWebBrowser', 'InternetExplorer', 'Headless'] as const

/** Options of {@link selectEngine}. */
export type SelectEngineOptions = Pick<
  ChromiumEngineOptions,
  'browser' | 'ownBrowser' | 'onForbidden' | 'openExternal' | 'isHeadless'
>

/**
 * Makes the engine that the setting `BrowserEngine` names. It does not look for a browser; {@link Engine.probe} does.
 *
 * @throws {EngineError} `not-available` when there is no engine of this name
 */
export function selectEngine(name: string, options: SelectEngineOptions = {}): Engine {
  assertParameter('name', name, 'text')
  assertParameter('options', options, 'closed', {
    browser: 'text?',
    ownBrowser: 'text?',
    onForbidden: 'function?',
    openExternal: 'function?',
    isHeadless: 'boolean?',
  })
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
    isHeadless: options.isHeadless ?? known === 'Headless',
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
  const name = nameOf(executable)
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
