import { demoAccounts } from '@service-link/service'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { startDemo } from '../demo/show-demo.ts'
import { testPersons } from '../e-id/e-id-page.ts'
import { writePicture } from './screen.ts'

/** Height of pages that a picture shows whole, in pixels. */
const tall = { width: 1280, height: 1160 }
const wide = { viewport: { width: 1280, height: 860 }, locale: 'en-US' } satisfies BrowserContextOptions
const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 } satisfies BrowserContextOptions

/** Takes the pictures of the pages in a browser. They show a whole demo, opened as its users do. */
export async function pictureWebPages(executablePath: string): Promise<void> {
  await using resources = new AsyncDisposableStack()
  // The demo's wrapper runs without a window, so that its own pictures show it alone.
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete process.env[name]
  const ports = { servicePort: 0, partnerPort: 0, eIdPort: 0, homePort: 0 }
  const {
    home: start,
    partner,
    facts,
  } = resources.use(await startDemo({ ...ports, wrapper: 'shown' }, () => undefined))
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args })
  resources.defer(() => browser.close())
  const open = pageOpener(browser)

  const home = await open(start.openUrl(), { ...wide, viewport: tall })
  await openPatient(home)
  await home.getByTestId('step-wrapper').getByRole('button').click()
  await home.locator('[data-testid="step-wrapper"][data-is-done="true"]').waitFor()
  const my = await open(`${facts.my}/log-in`, { ...phone, locale: 'nb-NO' })
  await my.getByRole('radio', { name: testPersons[0]?.name ?? '' }).check()
  await my.getByRole('button', { name: 'Log in' }).click()
  await my.getByTestId('my-workout').first().getByRole('link').click()
  await my.getByTestId('my-workout-detail').waitFor()
  await take('my-workout', my)
  await home.locator('[data-testid="step-my"][data-is-done="true"]').waitFor()
  await take('landing-page', home)

  const console = await open(start.openUrl('console'), wide)
  await console.locator('.console-row', { hasText: 'selectperson' }).first().click()
  await console.getByTestId('exchange').waitFor()
  await take('console', console)

  await take('journal-phone', await open(partner.openUrl(), phone))
  const launcher = await open(partner.openUrl('/launcher'), { ...wide, viewport: tall })
  await launcher.getByTestId('call').click()
  await launcher.getByTestId('answer').waitFor()
  await take('launcher', launcher)
}

/** Opens a patient from the landing page, takes the patient's pages, and gives a workout. */
async function openPatient(home: Page): Promise<void> {
  const [page] = await Promise.all([
    home.context().waitForEvent('page'),
    home.getByTestId('step-link').getByRole('button').click(),
  ])
  await page.setViewportSize(wide.viewport)
  const [account] = demoAccounts
  await page.getByLabel('E-mail').fill(account?.email ?? '')
  await page.getByLabel('Password', { exact: true }).fill(account?.password ?? '')
  await page.getByTestId('login-submit').click()
  await page.getByTestId('link-confirm').click()
  await page.getByTestId('new-link').getByRole('button', { name: 'That was me' }).click()
  await page.getByRole('tab', { name: /Profile data/ }).click()
  await page.getByTestId('profile-data').waitFor()
  await take('patient', page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await take('patient-dark', page)
  await page.getByRole('link', { name: 'Workouts', exact: true }).click()
  await page.getByTestId('workout-result').first().getByRole('link').click()
  await page.getByTestId('give-workout').click()
  await page.getByTestId('notice').waitFor()
}

async function take(name: string, page: Page): Promise<void> {
  // Without the mouse, which would leave a button marked.
  await page.mouse.move(0, 0)
  await page.evaluate(() => window.scrollTo(0, 0))
  await writePicture(name, await page.screenshot({ animations: 'disabled', caret: 'hide' }))
}

const pageOpener = (browser: Browser) => async (url: string, options: BrowserContextOptions) => {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(url)
  return page
}
