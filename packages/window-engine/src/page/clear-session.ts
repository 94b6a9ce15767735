import type { PageTarget } from '../devtools/page-target.ts'

/** Longest wait for the browser to have forgotten everything, in milliseconds: its caches may be large. */
const clearMs = 60_000
/** Longest wait for the page to let go of the window's name, in milliseconds: one that hangs never does. */
const nameMs = 2000

/**
 * Forgets what pages of any site have left in the profile: cookies, storage of all kinds, service workers and caches. The
 * document that is shown stays, with what it has in memory; load it again. The window's name, which pages of one site hand on to
 * each other, goes too.
 *
 * @throws {DevToolsCallError} when the browser refuses
 */
export async function clearSession(page: PageTarget): Promise<void> {
  const bounds = { timeoutMs: clearMs }
  await Promise.all([
    forgetName(page),
    page.call('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }, bounds),
    page.connection.call('Storage.clearCookies', {}, bounds),
    page.call('Network.clearBrowserCache', {}, bounds),
  ])
}

/** Takes the window's name away, unless the page hangs. Never rejects. */
export async function forgetName(page: PageTarget): Promise<void> {
  const expression = `globalThis.name = ''`
  await page.call('Runtime.evaluate', { expression }, { timeoutMs: nameMs }).catch(() => undefined)
}
