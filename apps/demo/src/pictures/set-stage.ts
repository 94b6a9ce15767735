import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildArguments } from '@service-link/cli-args'
import { startDesktop } from '../check/desktop.ts'
import { findBrowser } from '../check/find-program.ts'
import { logIn } from '../check/log-in.ts'
import { makeObservable, observablePort } from '../check/observable-browser.ts'
import { openBrowser } from '../check/open-browser.ts'
import { PageObserver } from '../check/page-observer.ts'
import { endProgram, runProgram, startProgram } from '../demo/run-program.ts'
import { startServers } from '../demo/start-servers.ts'
import { makeWrapperFolders } from '../demo/wrapper-folders.ts'
import { createUpdateSite } from '../update-site/create-update-site.ts'
import { findCamera } from './camera.ts'
import { startNotificationArea } from './notification-area.ts'
import type { PictureStage } from './picture-stage.ts'

const person = { customId: '29028410117', firstname: 'Kari', lastname: 'Ødegård', dateOfBirth: '1984-02-29' }
const screen = { width: 1600, height: 960 }
const window = { left: 580, top: 90, width: 1000, height: 800 }
/** What openbox draws around a window. */
const frame = { top: 20, side: 1, bottom: 6 }

/**
 * Sets the stage for all pictures: journal, wrapper and notification area on one screen.
 *
 * @param resources own what is started
 */
export async function setStage(resources: AsyncDisposableStack): Promise<PictureStage> {
  const folder = await mkdtemp(join(tmpdir(), 'service-pictures-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const desktop = resources.use((await startDesktop(`${screen.width}x${screen.height}`)) ?? null)
  const browser = findBrowser()
  const camera = findCamera({ ...process.env, ...desktop?.environment })
  if (!desktop || !browser || !camera)
    throw new Error('Pictures need Chromium, Xvfb, openbox, xdotool and ImageMagick’s import.')
  const notificationArea = resources.use(await startNotificationArea(desktop.environment))
  const servers = resources.use(
    await startServers({ dataFolder: join(folder, 'service'), servicePort: 0, partnerPort: 0, eIdPort: 0 }),
  )
  const partnerWindow = await openBrowser(browser, desktop)
  resources.defer(() => partnerWindow.close())
  const journal = await partnerWindow.newPage({ viewport: null })
  await journal.goto(servers.partner.url)
  await journal.locator('[data-testid^="open-"]').first().waitFor()
  await desktop.fill('Journal')

  const updates = resources.use(await createUpdateSite({ version: '3.1.0.0' }))
  const { left, top, width, height } = window
  const settings = {
    AppUrl: servers.service.url,
    UpdateUrl: updates.url,
    WindowPlacement: [left, top, width, height].join(','),
  }
  const folders = await makeWrapperFolders({ folder, settings })
  const environment = {
    ...process.env,
    ...desktop.environment,
    ...notificationArea.environment,
    ...folders.environment,
    // As root, which has no sandbox, the browser would say so across the picture.
    SERVICE_BROWSER: await makeObservable(browser, folder, ['--test-type']),
  }
  const wrapper = startProgram('wrapper', buildArguments({ person }), { environment })
  resources.defer(() => endProgram(wrapper))
  const page = resources.use(await PageObserver.connect(await observablePort(join(folders.data, 'browser'))))
  await logIn(page, servers.employee)
  await page.waitForAttribute('person-in-focus', 'data-custom-id', person.customId)
  return {
    camera,
    wrapperArea: {
      left: left - frame.side,
      top: top - frame.top,
      width: width + 2 * frame.side,
      height: height + frame.top + frame.bottom,
    },
    trayArea: { left: screen.width - 420, top: screen.height - 200, width: 420, height: 200 },
    page,
    servers,
    notificationArea,
    launch: (...args) => runProgram('wrapper', args, { environment }),
  }
}
