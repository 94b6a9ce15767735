import type { Browser } from 'playwright-core'
import { siteBase } from '../.vitepress/repository.ts'

/** A page with tabs, and with the navigation of all pages by hand. */
const pageWithTabs = 'start/drive-the-program.html'

/**
 * Uses the built site as a reader does: a chosen language stays, search finds a pasted code, and each page by hand is in
 * the navigation.
 *
 * @param origin where the site is served
 * @param pages paths of the pages that the navigation must have
 * @returns the problems
 */
export async function checkUse(
  browser: Browser,
  origin: string,
  pages: readonly string[],
): Promise<string[]> {
  return [
    ...(await checkLanguage(browser, origin)),
    ...(await checkSearch(browser, origin)),
    ...(await checkNavigation(browser, origin, pages)),
  ]
}

async function checkLanguage(browser: Browser, origin: string): Promise<string[]> {
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/${pageWithTabs}`, { waitUntil: 'networkidle' })
  await page.locator('.vp-code-group label', { hasText: 'Python' }).first().click()
  await page.goto(`${origin}/index.html`)
  await page.goto(`${origin}/${pageWithTabs}`, { waitUntil: 'networkidle' })
  const shown = await page.locator('.vp-code-group .active').first().textContent()
  return shown?.includes('python3') ? [] : ['The chosen language does not stay.']
}

async function checkSearch(browser: Browser, origin: string): Promise<string[]> {
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/index.html`, { waitUntil: 'networkidle' })
  await page.locator('.DocSearch-Button').click()
  const problems: string[] = []
  // A message as a service told it, with its code.
  await page
    .locator('.VPLocalSearchBox input')
    .fill('Claims not accepted: contact.id is missing. [ERR_PAYLOAD_SHAPE]')
  const first = page.locator('.VPLocalSearchBox li:nth-child(-n+3)', { hasText: 'ERR_PAYLOAD_SHAPE' }).first()
  await first
    .waitFor({ timeout: 20_000 })
    .catch(() => problems.push('A pasted message does not find its code.'))
  return problems
}

async function checkNavigation(
  browser: Browser,
  origin: string,
  pages: readonly string[],
): Promise<string[]> {
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/${pageWithTabs}`, { waitUntil: 'networkidle' })
  const links = await page
    .locator('.VPSidebar a')
    .evaluateAll(all => all.map(link => new URL((link as HTMLAnchorElement).href).pathname))
  const paths = links.map(link => link.slice(siteBase.length).replace(/\/$/, '/index.html'))
  const reached = new Set(['index.html', ...paths])
  await page.locator('.VPNavBar a', { hasText: 'API' }).click()
  await page.waitForURL(`${origin}/api/**`)
  await page.locator('.vp-doc h1').waitFor()
  await page.locator('.VPSidebar a', { hasText: 'jwt-payload' }).first().click()
  await page.locator('.vp-doc h1', { hasText: 'jwt-payload' }).waitFor()
  return pages.filter(path => !reached.has(path)).map(path => `${path} is not in the navigation.`)
}
