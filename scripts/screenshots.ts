// `npm run screenshots`: takes the documentation's pictures, of a whole demo in a browser and of the wrapper on a virtual screen.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { logInAs } from '../apps/demo/src/check/link-steps.ts'
import { endProgram, runProgram, startProgram } from '../apps/demo/src/demo/run-program.ts'
import { startDemo } from '../apps/demo/src/demo/show-demo.ts'
import { createUpdateSite, startServers } from '../apps/demo/src/demo/start-servers.ts'
import { makeWrapperFolders } from '../apps/demo/src/demo/wrapper-folders.ts'
import { testPersons } from '../apps/demo/src/e-id/e-id-page.ts'
import { findBrowser, launchBrowser } from '../internal/test-kit/src/browser.ts'
import { hasDisplay, startDisplay, type TestDisplay } from '../internal/test-kit/src/display.ts'
import { eventually } from '../internal/test-kit/src/waits.ts'
import { makeObservable, watchWrapperPage } from '../internal/test-kit/src/wrapper-page.ts'

const run = promisify(execFile)
const fileOf = (name: string) => fileURLToPath(new URL(`../docs/images/${name}.png`, import.meta.url))

/** A palette suffices for text and flat colors, and the file has a third of the size. */
const convert = (source: string, name: string) =>
  run('convert', [source, '+dither', '-colors', '255', '-strip', `png8:${fileOf(name)}`])

async function take(name: string, page: Page): Promise<void> {
  // Without the mouse, which would leave a button marked.
  await page.mouse.move(0, 0)
  const path = fileOf(name)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  await convert(path, name)
}

await using resources = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'service-pictures-'))
resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const executable = findBrowser()
if (!executable || !hasDisplay)
  throw new Error('Pictures need Chromium, Xvfb, openbox, xdotool and ImageMagick.')
await pictureDemo()
await pictureWrapper(executable, resources.use(await startDisplay({ size: '1600x960' })))

/** Pictures of the pages of a demo, opened as its users do. */
async function pictureDemo(): Promise<void> {
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete process.env[name]
  const ports = { servicePort: 0, partnerPort: 0, eIdPort: 0, homePort: 0 }
  await using demo = await startDemo({ ...ports, wrapper: 'shown' }, () => undefined)
  const browser = await launchBrowser({ isStrict: true })
  const open = async (url: string, options: BrowserContextOptions) => {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    await page.goto(url)
    return page
  }
  const tall = { viewport: { width: 1280, height: 1160 } }
  const wide = { viewport: { width: 1280, height: 860 } }
  const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 }

  const home = await open(demo.home.openUrl(), tall)
  const opened = home.context().waitForEvent('page')
  await home.getByTestId('step-link').getByRole('button').click()
  const tab = await opened
  await tab.setViewportSize(wide.viewport)
  await logInAs(tab, demo.employee)
  await tab.getByTestId('link-confirm').click()
  await tab.getByTestId('profile-data').waitFor()
  await take('patient', tab)
  await tab.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await take('patient-dark', tab)

  await home.getByTestId('step-wrapper').getByRole('button').click()
  await home.locator('[data-testid="step-wrapper"][data-is-done="true"]').waitFor()
  const my = await open(`${demo.facts.my}/log-in`, { ...phone, locale: 'nb-NO' })
  await my.getByRole('radio', { name: testPersons[0]?.name ?? '' }).check()
  await my.getByRole('button', { name: 'Logg inn' }).click()
  await my.getByTestId('my-workout').first().getByRole('link').click()
  await my.locator('[data-testid="my-exercise"] svg').first().waitFor()
  await take('my-workout', my)
  await home.locator('[data-testid="step-my"][data-is-done="true"]').waitFor()
  // From its head: the steps have scrolled it.
  await home.evaluate('scrollTo(0, 0)')
  await take('landing-page', home)

  const console = await open(demo.home.openUrl('console'), wide)
  await console.locator('.console-row', { hasText: 'selectperson' }).first().waitFor()
  await take('console', console)
  await take('journal-phone', await open(demo.partner.openUrl(), phone))
  const launcher = await open(demo.partner.openUrl('/launcher'), tall)
  await launcher.getByTestId('call').click()
  await launcher.getByTestId('answer').waitFor()
  await take('launcher', launcher)
  await browser.close()
}

/** Pictures of a wrapper: with its search before the journal, its notice, and its own page while the service is away. */
async function pictureWrapper(executable: string, { environment, xdotool }: TestDisplay) {
  const screen = { DISPLAY: environment.DISPLAY }
  await using servers = await startServers({ dataFolder: join(folder, 'service') })
  const browser = await launchBrowser({ isStrict: true, screen })
  const journal = await browser.newPage({ viewport: null })
  await journal.goto(servers.partner.openUrl())
  await journal.locator('[data-testid^="open-"]').first().waitFor()
  const journalWindow = ['search', '--onlyvisible', '--name', 'Journal']
  await xdotool(...journalWindow, 'windowmove', '--sync', '0', '0').catch(() => undefined)
  await xdotool(...journalWindow, 'windowsize', '100%', '100%')
  await using updates = await createUpdateSite('3.1.0.0')
  const AppUrl = servers.service.url
  const settings = { AppUrl, UpdateUrl: updates.url, WindowPlacement: '580,90,1000,800' }
  const folders = await makeWrapperFolders({ folder, settings })
  // Without the flag the browser of root warns of its missing sandbox.
  const SERVICE_BROWSER = await makeObservable(executable, folder, ['--test-type'])
  const wrapperEnvironment = { ...process.env, ...screen, ...folders.environment, SERVICE_BROWSER }
  const kari = ['id=p-4711', 'firstname=Kari', 'lastname=Ødegård', 'dateofbirth=1984-02-29']
  const wrapper = startProgram('wrapper', kari, { environment: wrapperEnvironment })
  await using watched = watchWrapperPage(join(folders.data, 'browser'))
  const page = await watched.page()
  await logInAs(page, servers.employee)
  await page.getByTestId('person-in-focus').waitFor()
  await take('update-notice', page)
  await watched.clickButton('Dismiss')
  await runProgram('wrapper', ['queryexercises=squat', 'wait=true'], { environment: wrapperEnvironment })
  await page.getByTestId('exercise-result').first().getByRole('link').click()
  await page.getByTestId('exercise-detail').waitFor()
  await take('wrapper-window', page)
  await run('import', ['-window', 'root', fileOf('demo')], { env: wrapperEnvironment })
  await convert(fileOf('demo'), 'demo')
  await servers.stopService()
  await page.evaluate(() => void setTimeout(() => location.reload()))
  await eventually('The own page', async () => (await watched.allText()).includes('cannot be reached'))
  await take('unreachable', page)
  await endProgram(wrapper)
  await browser.close()
  await servers.startService()
}
