import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'

/** Most compressed bytes of a page with its scripts and styles. Pictures load when they come into view, and do not count. */
const maxPageBytes = 100_000

/**
 * Opens pages of the built site: no rule of accessibility is broken in light and dark, nothing scrolls sideways at 360
 * pixels, a page weighs less than 100 kB, no other host is asked, and the console has no error.
 *
 * @param origin where the site is served
 * @param pages paths of pages
 * @returns the problems, with their pages, and the heaviest page with its weight
 */
export async function checkPages(
  browser: Browser,
  origin: string,
  pages: readonly string[],
): Promise<{ problems: string[]; heaviest: string }> {
  const problems: string[] = []
  const weights = new Map<string, number>()
  const left = [...pages]
  const work = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const { found, bytes } = await checkPage(browser, origin, path)
      problems.push(...found.map(problem => `${path}: ${problem}`))
      weights.set(path, bytes)
    }
  }
  await Promise.all([work(), work()])
  const [[path, bytes] = ['', 0]] = [...weights].sort(([, one], [, other]) => other - one)
  return { problems, heaviest: `${path} with ${kilobytes(bytes)}` }
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

async function checkPage(browser: Browser, origin: string, path: string) {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  const page = await context.newPage()
  const found: string[] = []
  const sizes: Promise<number>[] = []
  page.on('console', message => message.type() === 'error' && found.push(`console: ${message.text()}`))
  page.on('pageerror', error => found.push(`error: ${error.message}`))
  page.on('request', request => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      found.push(`asks ${request.url()}`)
  })
  page.on('requestfinished', request => {
    if (['document', 'script', 'stylesheet', 'fetch'].includes(request.resourceType()))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' })
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  if (bytes > maxPageBytes) found.push(`weighs ${kilobytes(bytes)}`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor()
    found.push(...(await axeProblems(page)).map(problem => `${colorScheme}: ${problem}`))
  }
  await page.setViewportSize({ width: 360, height: 740 })
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (overhang > 0) found.push(`scrolls sideways by ${overhang} pixels at 360`)
  return { found, bytes }
}

async function axeProblems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ target, html }) => `${target} ${html.slice(0, 90)}`)
        .slice(0, 3)
        .join(' | ')}`,
  )
}
