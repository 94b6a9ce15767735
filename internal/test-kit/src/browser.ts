import { basename } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
// @boundaries-ignore: tests of that package use this one, so it cannot be a dependency
import { findOnPath } from '../../../packages/window-engine/src/platform/find-on-path.ts'

const userBrowsers = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'msedge',
  'microsoft-edge',
]

const find = (names: readonly string[]) =>
  process.env.SERVICE_BROWSER || names.map(name => findOnPath(name)).find(Boolean)

/** The user's browser: `SERVICE_BROWSER`, else the first of the usual names on the PATH. */
export const findBrowser = () => find(userBrowsers)

/**
 * The browser without windows, if installed: a page takes a quarter of the user's browser's time. It has no back/forward cache,
 * no pop-up blocker and no cookie settings.
 */
export const findQuickBrowser = () => find(['chromium-headless-shell', ...userBrowsers])

/** Whether a browser can draw windows. The one that the demo fetches on a machine without browsers cannot. */
export const drawsWindows = (executable: string) => !basename(executable).includes('headless')

/** Why no test browser is available; `undefined` when one is. */
export const missingBrowser = findBrowser()
  ? undefined
  : 'No Chromium found: install it, or set SERVICE_BROWSER to the path of one.'

/** Whether browser tests run. Without a browser they are skipped with a message, or fail under `CI=true`. */
export function hasBrowser(): boolean {
  if (missingBrowser === undefined) return true
  if (process.env.CI === 'true') throw new Error(missingBrowser)
  process.stderr.write(`Browser tests skipped. ${missingBrowser}\n`)
  return false
}

/** Options of {@link launchBrowser}. */
interface LaunchBrowserOptions {
  /** The user's browser, which blocks tabs that no click opened. */
  readonly isStrict?: boolean
  /** A screen for its windows. Default: without windows. */
  readonly screen?: { readonly DISPLAY: string | undefined } | undefined
}

/** Starts the browser, without windows a quick one if installed. */
export function launchBrowser({ isStrict = false, screen }: LaunchBrowserOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: (isStrict ? findBrowser() : findQuickBrowser()) ?? '',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(isStrict && { ignoreDefaultArgs: ['--disable-popup-blocking'] }),
    ...(screen && { headless: false, env: { ...process.env, ...screen } }),
    timeout: 55_000,
  })
}
