import { assertParameter } from '@service-link/protocol-core/errors'
import type { Engine } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { windowPlatform } from '../platform/current-platform.ts'
import type { BrowserFamily, Environment } from '../platform/window-platform.ts'
import { externalOpener, type OpenExternal } from '../web-address.ts'
import { describeBrowser, findBrowser } from './find-browser.ts'
import { openChromiumWindow } from './open-chromium-window.ts'

/** Options of {@link createChromiumEngine}. */
export interface ChromiumEngineOptions {
  /** Name of the engine. Default `EoWebBrowser`, or `Headless` without a window. */
  readonly name?: string
  /** Draws without a window, for servers and tests. Default false. */
  readonly isHeadless?: boolean
  /** Path of the browser. Default: the variable `SERVICE_BROWSER`, else what is installed. */
  readonly executable?: string
  /** Family that is taken before all others when it is installed. Default: the platform's order. */
  readonly preferredFamily?: BrowserFamily
  /** Longest wait for the browser to show its window, in milliseconds. Default 30,000. */
  readonly startTimeoutMs?: number
  /** Longest wait for a browser that still ends to leave the profile, in milliseconds. Default 10,000. */
  readonly profileWaitMs?: number
  /** Opens links that lead out of the web app. Default: the operating system does. */
  readonly openExternal?: OpenExternal
  /** Variables in which browser and display are looked for, and that the browser gets. Default `process.env`. */
  readonly environment?: Environment
}

/**
 * An engine that draws with an installed browser of the Chromium family, in app mode with a profile of its own, driven
 * through a pipe: no port is open.
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
  assertParameter('options', options, 'object', {
    name: 'text?',
    isHeadless: 'boolean?',
    executable: 'text?',
    preferredFamily: 'text?',
    startTimeoutMs: 'number?',
    profileWaitMs: 'number?',
    openExternal: 'function?',
    environment: 'object?',
  })
  const { isHeadless = false, startTimeoutMs = 30_000, preferredFamily, environment = process.env } = options
  const platform = windowPlatform()
  const name = options.name ?? (isHeadless ? 'Headless' : 'EoWebBrowser')

  async function locate(): Promise<{ readonly executable: string } | { readonly reason: string }> {
    const reason = isHeadless ? undefined : platform.displayProblem(environment)
    if (reason !== undefined) return { reason }
    if (options.executable !== undefined) return { executable: options.executable }
    return findBrowser({ platform, environment, ...(preferredFamily ? { preferredFamily } : {}) })
  }

  return {
    name,
    async probe(signal, { isDescribed = true } = {}) {
      const found = await locate()
      if ('reason' in found) return { isAvailable: false, reason: found.reason }
      if (!isDescribed) return { isAvailable: true }
      const reason = await platform.drivingProblem(found.executable, environment)
      if (reason !== undefined) return { isAvailable: false, reason }
      return { isAvailable: true, description: await describeBrowser(found.executable, platform, signal) }
    },
    async open(windowOptions) {
      const found = await locate()
      if ('reason' in found) throw new EngineError('not-available', found.reason)
      const { executable } = found
      return openChromiumWindow({
        ...windowOptions,
        engine: name,
        executable,
        isHeadless,
        platform,
        environment,
        openExternal: options.openExternal ?? externalOpener(platform),
        startTimeoutMs,
        ...(options.profileWaitMs === undefined ? {} : { profileWaitMs: options.profileWaitMs }),
      })
    },
  }
}
