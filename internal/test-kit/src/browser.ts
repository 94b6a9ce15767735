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

/** The browser to test with: `SERVICE_BROWSER`, else the first of the names on the PATH. */
const findBrowser = (names: readonly string[]) =>
  process.env.SERVICE_BROWSER || names.map(name => findOnPath(name)).find(Boolean)

/** Whether browser tests run. Without a browser they are skipped with a message, or fail under `CI=true`. */
export function hasBrowser(): boolean {
  if (findBrowser(userBrowsers)) return true
  const reason = 'No Chromium found: install it, or set SERVICE_BROWSER to the path of one.'
  if (process.env.CI === 'true') throw new Error(reason)
  process.stderr.write(`Browser tests skipped. ${reason}\n`)
  return false
}

/**
 * Starts the browser without windows, if installed: a page takes a quarter of the user's browser's time.
 *
 * @param options `isStrict`: the user's browser, which blocks tabs that no click opened
 */
export function launchBrowser({ isStrict = false } = {}): Promise<Browser> {
  const names = isStrict ? userBrowsers : ['chromium-headless-shell', ...userBrowsers]
  const executablePath = findBrowser(names) ?? ''
  return chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(isStrict ? { ignoreDefaultArgs: ['--disable-popup-blocking'] } : {}),
    timeout: 55_000,
  })
}
