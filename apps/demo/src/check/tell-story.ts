import { mkdtemp, rm } from 'node:fs/promises'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { drawsWindows, findBrowser } from '@service-link/service/testing'
import { startServers } from '../demo/start-servers.ts'
import { startDesktop } from '../desktop/desktop.ts'
import { makeObservable, makeOpener } from '../desktop/user-browser.ts'
import { openBrowser, startBrowserLink } from './browser-link.ts'
import { startBrowserWrapper } from './browser-wrapper.ts'
import { startHttpLink } from './http-link.ts'
import { tellLaunches, tellSetup, tellUpdate } from './launch-steps.ts'
import { tellLink, tellMy } from './link-steps.ts'
import { startMemoryWrapper } from './memory-wrapper.ts'
import { tellPipe, tellRecords } from './pipe-steps.ts'
import { Story } from './story.ts'
import { tellWatch } from './watch-steps.ts'
import { tellOutages, tellSession } from './window-steps.ts'
import { prepareWrapper, wrapperPersons } from './wrapper-stage.ts'

/**
 * Runs the whole check without a user, on real components, temporary folders and free ports. Returns the exit code: 2
 * if there is no browser, and only the rest was shown.
 */
export async function tellStory(): Promise<0 | 1 | 2> {
  // On a busy machine Node must not give up an address of the service too early.
  setDefaultAutoSelectFamilyAttemptTimeout(60_000)
  const story = new Story({ mustRun: process.env.CI === 'true' })
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'service-demo-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const executable = findBrowser()
  const draws = executable !== undefined && drawsWindows(executable)
  await story.chapter('Service, partner application and test e-ID', async () => {
    const { desktop, servers } = await story.step(
      'they start, and a screen where Xvfb, openbox and xdotool are installed',
      async () => ({
        desktop: resources.use((draws ? await startDesktop() : undefined) ?? null) ?? undefined,
        servers: resources.use(
          await startServers({
            dataFolder: join(folder, 'service'),
            servicePort: 0,
            partnerPort: 0,
            eIdPort: 0,
          }),
        ),
      }),
    )
    const browser = executable && resources.use(await openBrowser(executable, desktop?.environment))
    await using link = browser ? await startBrowserLink(browser, servers) : startHttpLink(servers)
    await story.chapter(browser ? 'Partner link' : 'Partner link, by HTTP', async () => {
      await tellLink(story, link, servers)
      await story.chapter(browser ? 'Consumer app' : 'Consumer app, by HTTP', () =>
        tellMy(story, link, servers),
      )
    })

    const opener = executable && (await makeOpener(folder))
    const observable = executable && (await makeObservable(executable, folder))
    const noScreen = draws
      ? 'Xvfb, openbox or xdotool are not installed'
      : 'the browser here draws no windows'
    await story.chapter(browser ? 'Wrapper' : 'Wrapper, with a page in memory', async () => {
      const place = await prepareWrapper({
        story,
        folder,
        servers,
        engine: desktop ? 'EoWebBrowser' : 'Headless',
        windowProblem: executable ? noScreen : 'there is no browser',
        environment: {
          ...desktop?.environment,
          ...(opener ? opener.environment : {}),
          ...(observable ? { SERVICE_BROWSER: observable } : {}),
        },
      })
      resources.use(place.updates)
      const { kari } = wrapperPersons
      const args = buildArguments({ provider: defaultBrand.providers.arguments, person: kari })
      const drawnBy = { desktop, openedFile: opener ? opener.openedFile : undefined, otherWindow: 'Journal' }
      const stage = await story.step('the wrapper starts with person arguments and opens its window', () =>
        browser
          ? startBrowserWrapper(place, resources, drawnBy, args)
          : startMemoryWrapper(place, resources, args),
      )
      const { drawn, shown } = stage
      await story.step('the web app in the window asks for a log-in', () => shown.logIn())
      await story.step('[4.3-select-or-create] the person of the launch is created and in focus', () =>
        shown.waitForPerson(kari.customId),
      )
      await tellUpdate(stage)
      await tellLaunches(stage)
      await story.chapter('Settings and doctor', () => tellSetup(stage))
      if (drawn) {
        await story.chapter('Outages', () => tellOutages(stage, drawn))
        await story.chapter('Session', () => tellSession(stage, drawn))
      }
      await story.chapter('Named pipe', async () => {
        await tellWatch(stage, () => tellPipe(stage))
        await tellRecords(stage)
      })
    })
    if (!browser)
      story.skipMainPart(
        'what a browser and the wrapper’s window show',
        'no Chromium, Chrome or Edge is here',
      )
  })
  return story.end()
}
