import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'msedge',
  'microsoft-edge',
]

/** The browser to test with: `SERVICE_BROWSER`, else one on the PATH. */
export function findBrowser(): string | undefined {
  const folders = process.env.PATH?.split(delimiter) ?? []
  const candidates = folders.flatMap(folder => names.map(name => join(folder, name)))
  return [process.env.SERVICE_BROWSER ?? '', ...candidates].find(isExecutable)
}

/** Whether browser tests run. Without a browser they are skipped with a message, or fail under `CI=true`. */
export function hasBrowser(): boolean {
  if (findBrowser()) return true
  const reason = 'No Chromium found: install it, or set SERVICE_BROWSER to the path of one.'
  if (process.env.CI === 'true') throw new Error(reason)
  process.stderr.write(`Browser tests skipped. ${reason}\n`)
  return false
}

/** @param options `isStrict`: block tabs that no click opened, as for users; the testing library allows them */
export function launchBrowser({ isStrict = false } = {}): Promise<Browser> {
  const executablePath = findBrowser() ?? ''
  return chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(isStrict ? { ignoreDefaultArgs: ['--disable-popup-blocking'] } : {}),
    timeout: 55_000,
  })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}
