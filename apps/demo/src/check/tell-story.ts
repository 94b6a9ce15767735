import { mkdtemp, rm } from 'node:fs/promises'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { drawsWindows, findBrowser, launchBrowser } from '@service-link/test-kit/browser'
import { hasDisplay, startDisplay } from '@service-link/test-kit/display'
import { makeObservable } from '@service-link/test-kit/wrapper-page'
import { startServers } from '../demo/start-servers.ts'
import { startBrowserWrapper } from './browser-wrapper.ts'
import { tellLaunches, tellSetup } from './launch-steps.ts'
import { tellLink } from './link-steps.ts'
import { startMemoryWrapper } from './memory-wrapper.ts'
import { tellPipe, tellRecords } from './pipe-steps.ts'
import { Story } from './story.ts'
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
  const missing = 'no Chromium, Chrome or Edge is here'
  const executable = findBrowser()
  const draws = executable !== undefined && drawsWindows(executable)
  await story.chapter('Service, partner application and test e-ID', async () => {
    const { desktop, servers } = await story.step(
      'they start, and a screen where Xvfb, openbox and xdotool are installed',
      async () => ({
        desktop: draws && hasDisplay ? resources.use(await startDisplay()) : undefined,
        servers: resources.use(await startServers({ dataFolder: join(folder, 'service') })),
      }),
    )
    const screen = desktop && { DISPLAY: desktop.environment.DISPLAY }
    const browser = executable && resources.use(await launchBrowser({ isStrict: true, screen }))
    if (browser) await story.chapter('Partner link', () => tellLink(story, browser, servers))

    const seen = executable && { SERVICE_BROWSER: await makeObservable(executable, folder) }
    await story.chapter(browser ? 'Wrapper' : 'Wrapper, with a page in memory', async () => {
      const place = await prepareWrapper({
        story,
        folder,
        servers,
        engine: desktop ? 'EoWebBrowser' : 'Headless',
        windowProblem: executable ? 'there is no screen, or the browser draws no windows' : missing,
        environment: { ...screen, ...seen },
      })
      const { kari } = wrapperPersons
      const args = buildArguments({ provider: defaultBrand.providers.arguments, person: kari })
      const stage = await story.step('the wrapper starts with person arguments and opens its window', () =>
        seen
          ? startBrowserWrapper(place, resources, desktop, args)
          : startMemoryWrapper(place, resources, args),
      )
      const { drawn, shown } = stage
      await story.step('the web app in the window asks for a log-in', () => shown.logIn())
      await story.step('[4.3-select-or-create] the person of the launch is created and in focus', () =>
        shown.waitForPerson(kari.customId),
      )
      await tellLaunches(stage)
      if (drawn) {
        await tellSetup(stage, drawn)
        await story.chapter('Outages', () => tellOutages(stage, drawn))
        await story.chapter('Session', () => tellSession(stage, drawn))
      }
      await story.chapter('Named pipe', async () => {
        await tellPipe(stage)
        await tellRecords(stage)
      })
    })
    if (!browser) story.skip('the partner link, the consumer app and the wrapper’s window', missing, true)
  })
  return story.end()
}
