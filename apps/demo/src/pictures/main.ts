// `npm run screenshots`: takes the documentation's pictures, of pages in a browser and of the real wrapper on a virtual
// screen.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildArguments } from '@service-link/cli-args'
import { findBrowser } from '@service-link/service/testing'
import { openBrowser } from '../check/browser-link.ts'
import { expectEqual } from '../check/story.ts'
import { endProgram, runProgram, startProgram } from '../demo/run-program.ts'
import { createUpdateSite, startServers } from '../demo/start-servers.ts'
import { eventually } from '../demo/waits.ts'
import { makeWrapperFolders } from '../demo/wrapper-folders.ts'
import { startDesktop } from '../desktop/desktop.ts'
import { logIn, PageObserver } from '../desktop/page-observer.ts'
import { makeObservable, observablePort } from '../desktop/user-browser.ts'
import { findCamera, startNotificationArea } from './screen.ts'
import { pictureWebPages } from './web-pages.ts'

const person = { customId: 'p-4711', firstname: 'Kari', lastname: 'Ødegård', dateOfBirth: '1984-02-29' }
const screen = { width: 1600, height: 960 }
const window = { left: 580, top: 90, width: 1000, height: 800 }
/** Size of the frame that openbox draws around a window. */
const frame = { top: 20, side: 1, bottom: 6 }
/** The wrapper's window with its frame. */
const wrapperArea = {
  left: window.left - frame.side,
  top: window.top - frame.top,
  width: window.width + 2 * frame.side,
  height: window.height + frame.top + frame.bottom,
}
/** The corner of the screen with the icon and its menu. */
const trayArea = { left: screen.width - 420, top: screen.height - 200, width: 420, height: 200 }

await using resources = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'service-pictures-'))
resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const desktop = resources.use((await startDesktop(`${screen.width}x${screen.height}`)) ?? null)
const browser = findBrowser()
const take = findCamera({ ...process.env, ...desktop?.environment })
if (!desktop || !browser || !take)
  throw new Error('Pictures need Chromium, Xvfb, openbox, xdotool and ImageMagick’s import.')
await pictureWebPages(browser)
const notificationArea = resources.use(await startNotificationArea(desktop.environment))
const servers = resources.use(
  await startServers({ dataFolder: join(folder, 'service'), servicePort: 0, partnerPort: 0, eIdPort: 0 }),
)
const partnerWindow = await openBrowser(browser, desktop.environment)
resources.defer(() => partnerWindow.close())
const journal = await partnerWindow.newPage({ viewport: null })
await journal.goto(servers.partner.openUrl())
await journal.locator('[data-testid^="open-"]').first().waitFor()
await desktop.fill('Journal')

const updates = resources.use(await createUpdateSite('3.1.0.0'))
const settings = {
  AppUrl: servers.service.url,
  UpdateUrl: updates.url,
  WindowPlacement: [window.left, window.top, window.width, window.height].join(','),
}
const folders = await makeWrapperFolders({ folder, settings })
const environment = {
  ...process.env,
  ...desktop.environment,
  ...notificationArea.environment,
  ...folders.environment,
  // Without it the browser of root shows a warning about its missing sandbox.
  SERVICE_BROWSER: await makeObservable(browser, folder, ['--test-type']),
}
const wrapper = startProgram('wrapper', buildArguments({ person }), { environment })
resources.defer(() => endProgram(wrapper))
const page = resources.use(await PageObserver.connect(() => observablePort(join(folders.data, 'browser'))))
await logIn(page, servers.employee)
await page.waitForAttribute('person-in-focus', 'data-custom-id', person.customId)

const hasUpdate = async () => (await page.allText()).includes('A newer version')
await eventually('The notice', hasUpdate)
await page.settle()
await take('update-notice', wrapperArea)
await page.clickButton('Dismiss')
await eventually('The end of the notice', async () => !(await hasUpdate()))

const search = buildArguments({ queryExercises: 'squat', wait: true })
const { exitCode, errors } = await runProgram('wrapper', search, { environment })
expectEqual(`exit code of the search (${errors.trim()})`, exitCode, 0)
// Without the mouse, because the browser shows the address of a link below it.
await page.read(`document.querySelector('[data-testid="exercise-results"] a')?.click()`)
await eventually('The exercise', () => page.text('exercise-detail'))
await page.settle()
await take('demo')
await take('wrapper-window', wrapperArea)

await notificationArea.openMenu()
await take('tray-menu', trayArea)
await notificationArea.closeMenu()

await servers.stopService()
await page.reload()
await eventually('The wrapper’s own page', async () => (await page.allText()).includes('cannot be reached'))
await page.settle()
await take('unreachable', wrapperArea)
await servers.startService()
