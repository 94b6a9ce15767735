import { startTestWrapper } from '@service-link/wrapper-host/testing'
import { Hono } from 'hono'
import { runProgram } from '../../src/demo/run-program.ts'
import { travelledByLink } from '../../src/demo/travelled.ts'
import { consoleRoutes } from '../../src/home/console/console-routes.ts'
import { createHome } from '../../src/home/create-home.ts'
import { type DemoState, said } from '../../src/home/demo-state.ts'
import { patients } from '../../src/journal/patients.ts'
import { createPageKeys } from '../../src/own-pages/page-keys.ts'

const [contact = { id: 'p-1' }] = patients

const state: DemoState = {
  facts: {
    journal: 'http://127.0.0.1:1',
    service: 'http://localhost:2',
    my: 'http://localhost:2/my',
    eId: 'http://127.0.0.1:3',
    payloadUrl: 'http://localhost:2/partner/payload',
    patient: 'Åse Marie Øvergård',
  },
  link: { tone: 'done', says: said('opened', { name: 'Åse' }), travelled: travelledByLink({ contact }) },
  wrapper: {
    tone: 'waits',
    says: said('wrapperStarts'),
    does: 'select',
    driven: 'ready',
    more: said('doStepOne'),
  },
  my: { tone: 'refused', says: said('logInFailed') },
}

/** Starts a console and its wrapper, both real; the wrapper's web app is in memory. */
export async function startConsole() {
  await using resources = new AsyncDisposableStack()
  const wrapper = resources.use(await startTestWrapper({ settings: { LogLevel: 'debug' } }))
  const { applicationRoot, userFolder } = wrapper.folders
  const environment = { SERVICE_WRAPPER_ROOT: applicationRoot, SERVICE_WRAPPER_DATA: userFolder }
  const console = consoleRoutes({
    userFolder,
    launch: argv => runProgram('wrapper', argv, { environment: { ...process.env, ...environment } }),
  })
  const { payloadUrl } = state.facts
  const routes = { '/api': new Hono().get('/state', c => c.json(state)), '/console/api': console }
  const home = resources.use(await createHome({ port: 0, keys: createPageKeys(), payloadUrl, routes }))
  const owned = resources.move()
  return {
    wrapper,
    /** Address of the page, with a key of one use. */
    get url() {
      return home.openUrl('console')
    },
    /** The same of the landing page. */
    get landingUrl() {
      return home.openUrl()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
