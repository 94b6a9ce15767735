import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoServers, startServers } from '../demo/start-servers.ts'
import { createUpdateSite } from '../demo/update-site.ts'
import { makeWrapperFolders } from '../demo/wrapper-folders.ts'
import { findBrowser, makeObservable, makeOpener, openBrowser } from './browser.ts'
import { tellMyStory, tellPartnerLinkStory } from './browser-story.ts'
import { type Desktop, startDesktop } from './desktop.ts'
import { Story } from './story.ts'
import { tellWrapperStory } from './wrapper-story.ts'

/**
 * Tells the whole story by itself: partner link, consumer app, wrapper, pipe, on real components, in folders and on ports of its own.
 *
 * @returns whether every step could be shown
 */
export async function tellStory(): Promise<boolean> {
  // A process that is held up must not take the service's address for one that does not answer.
  setDefaultAutoSelectFamilyAttemptTimeout(60_000)
  const story = new Story({ mustRun: process.env.CI === 'true' })
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'service-demo-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const executable = findBrowser()
  const dataFolder = join(folder, 'service')
  let desktop: Desktop | undefined
  let servers: DemoServers | undefined
  await story.chapter('Service, partner application and test e-ID', async () => {
    await story.step('both start, and a screen where Xvfb, openbox and xdotool are installed', async () => {
      desktop = await startDesktop()
      resources.use(desktop ?? null)
      servers = resources.use(await startServers({ dataFolder, servicePort: 0, partnerPort: 0, eIdPort: 0 }))
    })
  })
  if (!servers) return story.end()
  if (!executable) {
    story.skip('Partner link and wrapper', 'no Chromium, Chrome or Edge is installed')
    return story.end()
  }
  await tellWithBrowser({ story, folder, executable, desktop, servers })
  return story.end()
}

interface ToldWith {
  readonly story: Story
  readonly folder: string
  readonly executable: string
  readonly desktop: Desktop | undefined
  readonly servers: DemoServers
}

async function tellWithBrowser({ story, folder, executable, desktop, servers }: ToldWith): Promise<void> {
  await using resources = new AsyncDisposableStack()

  await story.chapter('Partner link', async () => {
    const browser = await openBrowser(executable, desktop)
    resources.defer(() => browser.close())
    const context = await browser.newContext()
    context.setDefaultTimeout(60_000)
    await tellPartnerLinkStory({
      story,
      context,
      serviceUrl: servers.service.url,
      partnerUrl: servers.partner.url,
      employee: servers.employee,
    })
    const { service, eId } = servers
    const told = { story, browser, context, serviceUrl: service.url, eIdUrl: eId.url }
    await story.chapter('Consumer app', () => tellMyStory(told))
  })

  await story.chapter('Wrapper', async () => {
    const updates = resources.use(await createUpdateSite({ version: '3.1.0.0' }))
    const settings = {
      AppUrl: servers.service.url,
      UpdateUrl: updates.url,
      BrowserEngine: desktop ? 'EoWebBrowser' : 'Headless',
    }
    const folders = await makeWrapperFolders({ folder, settings })
    const launchFolder = join(folder, 'launch')
    await mkdir(launchFolder)
    const opener = await makeOpener(folder)
    await tellWrapperStory({
      story,
      environment: {
        ...process.env,
        ...folders.environment,
        ...desktop?.environment,
        ...opener?.environment,
        SERVICE_BROWSER: await makeObservable(executable, folder),
      },
      folders,
      launchFolder,
      profileFolder: join(folders.data, 'browser'),
      desktop,
      servers,
      databaseFile: join(folder, 'service', 'service.sqlite'),
      updates,
      openedFile: opener?.openedFile,
      otherWindow: 'Journal',
    })
  })
}
