import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { payloadPath, untilSignal } from '@service-link/service'
import { selectEngine } from '@service-link/window-engine'
import { Hono } from 'hono'
import pc from 'picocolors'
import { consoleRoutes } from '../home/console/console-routes.ts'
import { shellLines } from '../home/console/shell-lines.ts'
import { createHome } from '../home/create-home.ts'
import { type DemoFacts, type DemoState, said, type WrapperState } from '../home/demo-state.ts'
import { employees, patientName, patients } from '../journal/patients.ts'
import { createPageKeys } from '../own-pages/page-keys.ts'
import { type DrivenWrapper, driveWrapper } from './demo-wrapper.ts'
import { startMemoryWindow } from './memory-window.ts'
import { endProgram, runProgram, startProgram } from './run-program.ts'
import { keepStartFile, openInBrowser } from './start-file.ts'
import { createUpdateSite, type DemoServers, startServers } from './start-servers.ts'
import { linkStep, watchServers } from './watch-servers.ts'
import { type MadeWrapperFolders, makeWrapperFolders, wrapperPlaces } from './wrapper-folders.ts'

interface DemoOptions {
  readonly servicePort: number
  readonly partnerPort: number
  readonly eIdPort: number
  readonly homePort: number
  /** `memory`: without a browser even where there is one. */
  readonly wrapper: 'shown' | 'memory' | 'none'
}

/** Longest end of all its parts, in milliseconds. */
const longestEndMs = 30_000

/** Runs the demo until the user ends it. */
export async function showDemo(options: DemoOptions & { readonly opensBrowser: boolean }): Promise<void> {
  const interrupted = untilSignal(longestEndMs)
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  say('Starting …')
  await using demo = await startDemo(options, say)
  say(`\n${pc.dim('Ctrl+C ends the demo; its data go with it.')}`)
  if (options.opensBrowser && hasScreen() && !process.env.CI) openInBrowser(demo.startFile)
  await interrupted
  say('Ending …')
}

/** Starts all parts of the demo in a temporary folder, and says where they are. */
export async function startDemo(options: DemoOptions, say: (text: string) => void) {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'service-demo-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const keys = createPageKeys()
  const { board, logInsAsked, ...watching } = watchServers()
  resources.use(watching.answers)
  const { servicePort, partnerPort, eIdPort } = options
  const ports = { servicePort, partnerPort, eIdPort }
  const servers = resources.use(
    await startServers({ keys, dataFolder: join(folder, 'service'), ...ports, ...watching }),
  )
  let wrapper: DrivenWrapper | undefined
  const { environment } = wrapperPlaces(folder)
  const facts = factsOf(servers)
  const state = async () => ({ facts, ...board, wrapper: (await wrapper?.state()) ?? noWrapper })
  const api = homeApi(servers, state, async () => wrapper?.drive())
  const console = consoleRoutes({
    userFolder: environment.SERVICE_WRAPPER_DATA,
    launch: argv => runProgram('wrapper', argv, { environment: { ...process.env, ...environment } }),
  })
  const routes = { '/api': api, '/console/api': console }
  const { payloadUrl } = facts
  const home = resources.use(await createHome({ port: options.homePort, keys, payloadUrl, routes }))
  const { partner } = servers
  const { url: startFile } = resources.use(await keepStartFile(`${home.origin}/`, keys))
  say(whereLines(servers, startFile))
  if (!hasScreen())
    say(`From another machine, through a tunnel to this port, once: ${pc.cyan(home.openUrl())}`)
  if (options.wrapper === 'none') say('The wrapper was not asked for.')
  else {
    const isInMemory = options.wrapper === 'memory'
    wrapper = await showWrapper({ resources, folder, servers, logInsAsked, say, isInMemory })
  }
  const owned = resources.move()
  const { employee } = servers
  return { home, partner, startFile, facts, employee, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** The landing page's server. */
export type HomeApi = ReturnType<typeof homeApi>

function homeApi(servers: DemoServers, state: () => Promise<DemoState>, drive: () => Promise<unknown>) {
  return new Hono()
    .get('/state', async c => c.json(await state()))
    .post('/payload', async c => {
      const payload = await signVisit(servers)
      return payload === undefined ? c.json({ problem: 'There is no patient.' }, 404) : c.json({ payload })
    })
    .post('/wrapper', async c => {
      await drive()
      return c.body(null, 204)
    })
}

const noWrapper: WrapperState = {
  tone: 'ready',
  says: said('noWrapper'),
  does: 'nothing',
  driven: 'ready',
}

/** Signs what the journal sends about its first patient. */
const signVisit = ({ partner }: DemoServers) =>
  partner.signVisit({ patientId: patients[0]?.id ?? '', employeeId: employees[0]?.employeeId ?? '' })

/** Starts the wrapper: in a window, without one, or in memory where there is no browser. Returns what drives it. */
async function showWrapper(place: {
  readonly resources: AsyncDisposableStack
  readonly folder: string
  readonly servers: DemoServers
  readonly logInsAsked: () => number
  readonly say: (text: string) => void
  readonly isInMemory: boolean
}): Promise<DrivenWrapper> {
  const { resources, folder, servers, logInsAsked, say } = place
  // Still open when a wrapper is started later, or again.
  const wrappers = resources.use(new AsyncDisposableStack())
  const probe = (name: 'EoWebBrowser' | 'Headless') =>
    selectEngine(name).probe(undefined, { isDescribed: false })
  const drawn = hasScreen() ? await probe('EoWebBrowser') : undefined
  const engine = drawn?.isAvailable ? 'EoWebBrowser' : 'Headless'
  const found = drawn?.isAvailable ? drawn : await probe('Headless')
  const isAvailable = found.isAvailable && !place.isInMemory
  const updates = resources.use(await createUpdateSite('3.1.0.0'))
  const settings = {
    AppUrl: servers.service.url,
    UpdateUrl: updates.url,
    BrowserEngine: engine,
    LogLevel: 'debug',
  }
  const window = isAvailable ? (engine === 'Headless' ? 'headless' : 'window') : 'memory'
  const folders = await makeWrapperFolders({ folder, settings })
  const environment = { ...process.env, ...folders.environment }
  const start = async () => {
    if (!isAvailable) {
      const place = { applicationRoot: folders.root, userFolder: folders.data }
      return wrappers.use(await startMemoryWindow({ folders: place, logInsAsked })).wrapper.closed
    }
    const child = startProgram('wrapper', [], { environment })
    wrappers.defer(() => endProgram(child))
    child.stderr.pipe(process.stderr)
    await once(child, 'exit')
    say('The wrapper has ended.')
  }
  const headline = {
    window: 'its window is open, and its icon is in the notification area. Sign in there once.',
    headless: 'runs without a window, because there is no screen or no browser for one. Step 2 signs it in.',
    memory: `runs with a page in memory. ${found.reason ?? ''} Step 2 signs it in.`,
  }
  say(`${pc.bold('Wrapper')}              ${headline[window]}\n\n${linesToTry(folders)}`)
  return driveWrapper({
    window,
    folder,
    environment,
    userFolder: folders.data,
    start,
    logInsAsked,
    signVisit: () => signVisit(servers),
  })
}

function linesToTry({ data, environment }: MadeWrapperFolders): string {
  const { name, set } = shellLines()
  return `Its programs run in another ${name} of this folder. They find it by two variables:

  ${set(environment)}
  npm run wrapper -- queryexercises=squat
  npm run --silent pipe -- watch
  npm run wrapper -- doctor

Its log: ${join(data, 'logs', 'wrapper.log')}`
}

function factsOf({ service, partner, eId }: DemoServers): DemoFacts {
  const [patient] = patients
  return {
    journal: partner.url,
    service: service.url,
    my: `${service.url}/my`,
    eId: eId.url,
    payloadUrl: `${service.url}${payloadPath}?launch=${linkStep}`,
    patient: patient ? patientName(patient) : '',
  }
}

function whereLines({ service, eId, employee }: DemoServers, startFile: string): string {
  return `
${pc.bold('Start here')}           ${pc.cyan(startFile)}
                     three steps, and from there the journal, the launcher and the console

${pc.bold('Service')}              ${pc.cyan(service.url)}   sign in as ${employee.email}, password ${employee.password}
${pc.bold('Consumer app')}         ${pc.cyan(`${service.url}/my`)}   for patients: sign in as Åse, who has a workout
${pc.bold('Test e-ID')}            ${pc.cyan(eId.url)}   where patients sign in; everybody there is invented
`
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}
