import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { drawsWindows, findBrowser } from '@service-link/service/testing'
import { endProgram, startProgram } from '../demo/run-program.ts'
import { type DemoServers, startServers } from '../demo/start-servers.ts'
import { tellMyStory, tellPartnerLinkStory } from './browser-story.ts'
import {
  type Desktop,
  makeObservable,
  makeOpener,
  observablePort,
  openBrowser,
  startDesktop,
} from './desktop.ts'
import { tellLaunchStory, tellSetupStory, tellUpdateStory, tellVersionStory } from './launch-story.ts'
import { tellWithoutBrowser } from './memory-story.ts'
import { logIn, PageObserver } from './page-observer.ts'
import { tellPipeStory, tellRecordStory } from './pipe-story.ts'
import { tellOutageStory, tellSessionStory } from './session-story.ts'
import { eventually, expectMatch, Story } from './story.ts'
import { tellWatchStory } from './watch-story.ts'
import {
  type Drawn,
  launchesOf,
  prepareWrapper,
  type RunningStage,
  type ShownPage,
  type ToldWith,
  type WrapperStage,
  wrapperPersons,
} from './wrapper-stage.ts'

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
  const canDraw = executable !== undefined && drawsWindows(executable)
  const dataFolder = join(folder, 'service')
  let desktop: Desktop | undefined
  let servers: DemoServers | undefined
  await story.chapter('Service, partner application and test e-ID', async () => {
    await story.step('they start, and a screen where Xvfb, openbox and xdotool are installed', async () => {
      desktop = canDraw ? await startDesktop() : undefined
      resources.use(desktop ?? null)
      servers = resources.use(await startServers({ dataFolder, servicePort: 0, partnerPort: 0, eIdPort: 0 }))
    })
  })
  if (!servers) return story.end()
  const windowProblem = canDraw
    ? 'Xvfb, openbox or xdotool are not installed'
    : 'the browser here draws no windows'
  if (executable)
    await tellWithBrowser({
      told: { story, folder, servers },
      executable,
      desktop,
      windowProblem: desktop ? undefined : windowProblem,
    })
  else await tellWithoutBrowser({ story, folder, servers })
  return story.end()
}

interface BrowserPlace {
  readonly told: ToldWith
  readonly executable: string
  readonly desktop: Desktop | undefined
  readonly windowProblem: string | undefined
}

async function tellWithBrowser({ told, executable, desktop, windowProblem }: BrowserPlace): Promise<void> {
  const { story, folder } = told
  await using resources = new AsyncDisposableStack()

  await story.chapter('Partner link', async () => {
    const browser = await openBrowser(executable, desktop)
    resources.defer(() => browser.close())
    const context = await browser.newContext()
    context.setDefaultTimeout(60_000)
    const stage = { ...told, browser, context }
    await tellPartnerLinkStory(stage)
    await story.chapter('Consumer app', () => tellMyStory(stage))
  })

  await story.chapter('Wrapper', async () => {
    const prepared = await prepareWrapper(told, desktop ? 'EoWebBrowser' : 'Headless')
    resources.use(prepared.updates)
    const opener = await makeOpener(folder)
    await tellWrapperStory({
      ...prepared,
      environment: {
        ...prepared.environment,
        ...desktop?.environment,
        ...opener?.environment,
        SERVICE_BROWSER: await makeObservable(executable, folder),
      },
      profileFolder: join(prepared.folders.data, 'browser'),
      desktop,
      databaseFile: join(folder, 'service', 'service.sqlite'),
      openedFile: opener?.openedFile,
      otherWindow: 'Journal',
      windowProblem,
    })
  })
}

const { kari } = wrapperPersons

/** Shows everything that a wrapper does. One wrapper runs from the first step to the last. */
async function tellWrapperStory(stage: WrapperStage & Omit<Drawn, 'wrapper' | 'page'>): Promise<void> {
  const { story, environment, launchFolder } = stage
  await using resources = new AsyncDisposableStack()
  const { wrapper, page } = await story.step(
    'the wrapper starts with person arguments and opens its window',
    async () => {
      const args = buildArguments({ provider: defaultBrand.providers.arguments, person: kari })
      const child = startProgram('wrapper', args, { environment, workingDirectory: launchFolder })
      resources.defer(() => endProgram(child))
      const said: string[] = []
      child.stderr.on('data', chunk => said.push(String(chunk)))
      const ended = new Promise<never>((_, reject) => {
        child.once('exit', code => reject(new Error(`The wrapper ended with ${code}: ${said.join('')}`)))
      })
      ended.catch(() => undefined)
      const observer = await Promise.race([openPage(stage.profileFolder), ended])
      resources.use(observer)
      return { wrapper: child, page: observer }
    },
  )

  await story.step('the web app in the window asks for a log-in', () => logIn(page, stage.servers.employee))

  await story.step('[4.3-select-or-create] the person of the launch is created and in focus', async () => {
    await page.waitForAttribute('person-in-focus', 'data-custom-id', kari.customId)
    expectMatch('name in focus', (await page.text('person-in-focus')) ?? '', /Kari.*Ødegård/)
  })

  const running: RunningStage = {
    ...stage,
    ...launchesOf(stage),
    wrapper,
    page,
    shown: shownBy(page),
    ended: once(wrapper, 'exit').then(([code]) => code),
    pid: pidOf(wrapper),
  }
  await tellUpdateStory(running)
  await tellLaunchStory(running)
  await story.chapter('Settings and doctor', async () => {
    await tellSetupStory(running)
    await tellVersionStory(running)
  })
  await story.chapter('Outages', () => tellOutageStory(running))
  await story.chapter('Session', () => tellSessionStory(running))
  await story.chapter('Named pipe', async () => {
    await tellWatchStory(running, () => tellPipeStory(running))
    await tellRecordStory(running)
  })
}

async function openPage(profileFolder: string): Promise<PageObserver> {
  return PageObserver.connect(() => observablePort(profileFolder))
}

/** The page as its user sees it. */
function shownBy(page: PageObserver): ShownPage {
  const searchText = `document.querySelector('[data-testid="exercise-search"]')?.value`
  return {
    personInFocus: () => page.attribute('person-in-focus', 'data-custom-id'),
    waitForPerson: id => page.waitForAttribute('person-in-focus', 'data-custom-id', id),
    async waitForSearch(text) {
      await eventually(`The search for ${text}`, async () => (await page.read(searchText)) === text)
      await eventually(`Results for ${text}`, async () =>
        (await page.text('exercise-results'))?.toLowerCase().includes(text),
      )
    },
    waitForWorkout: id => page.waitForAttribute('workout-detail', 'data-workout-id', String(id)),
    async giveWorkout() {
      await page.click('a[href="/workouts"]')
      await page.click('[data-testid="workout-results"] a')
      await page.click('[data-testid="give-workout"]')
    },
  }
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('The wrapper did not start.')
  return child.pid
}
