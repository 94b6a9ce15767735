import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selectEngine } from '@service-link/window-engine'
import pc from 'picocolors'
import { createHome } from '../home/create-home.ts'
import { createBoard, type DemoState } from '../home/demo-state.ts'
import { demoAccounts } from '../service/auth/demo-accounts.ts'
import { payloadPath } from '../service/partner-link/partner-link.ts'
import { endProgram, startProgram } from './run-program.ts'
import { createUpdateSite, type DemoServers, startServers } from './start-servers.ts'
import { prepareThingsToTry } from './things-to-try.ts'
import { makeWrapperFolders } from './wrapper-folders.ts'

export async function showDemo(options: {
  readonly servicePort: number
  readonly partnerPort: number
  readonly eIdPort: number
  readonly homePort: number
  readonly startsWrapper: boolean
}): Promise<void> {
  const interrupted = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'service-demo-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  say('Starting …')
  const servers = resources.use(
    await startServers({
      dataFolder: join(folder, 'service'),
      servicePort: options.servicePort,
      partnerPort: options.partnerPort,
      eIdPort: options.eIdPort,
    }),
  )
  const board = createBoard(stateOf(servers))
  const home = resources.use(await createHome({ port: options.homePort, board, routes: () => ({}) }))
  say(`\n${pc.bold('Start here')}           ${pc.cyan(home.url)}`)
  sayWhere(servers)
  if (!options.startsWrapper) say('The wrapper was not asked for.')
  else await showWrapper(resources, folder, servers)
  say(`\n${pc.dim('Ctrl+C ends the demo; its data go with it.')}`)
  await interrupted
  say('Ending …')
}

async function showWrapper(
  resources: AsyncDisposableStack,
  folder: string,
  { service, partnerKey }: DemoServers,
): Promise<void> {
  const hasScreen =
    process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  const engine = hasScreen ? 'EoWebBrowser' : 'Headless'
  const { isAvailable, reason } = await selectEngine(engine).probe()
  if (!isAvailable) return say(`The wrapper was not started. ${reason}`)
  const updates = resources.use(await createUpdateSite('3.1.0.0'))
  const settings = { AppUrl: service.url, UpdateUrl: updates.url, BrowserEngine: engine }
  const folders = await makeWrapperFolders({ folder, settings })
  const tries = await prepareThingsToTry({ folder, folders, serviceUrl: service.url, partnerKey })
  const wrapper = startProgram('wrapper', [], { environment: { ...process.env, ...folders.environment } })
  resources.defer(() => endProgram(wrapper))
  wrapper.stderr.pipe(process.stderr)
  wrapper.once('exit', () => say('The wrapper has ended.'))
  say(
    hasScreen
      ? `${pc.bold('Wrapper')}              its window is open: log in there once; a newer version is offered. Then try, ${tries}`
      : `${pc.bold('Wrapper')}              runs headless, because there is no screen to log in on;
                     npm run demo -- --check shows all of it on a screen of its own`,
  )
}

function stateOf({ service, partner, eId }: DemoServers): DemoState {
  return {
    addresses: {
      journal: partner.url,
      service: service.url,
      my: `${service.url}/my`,
      eId: eId.url,
      payload: `${service.url}${payloadPath}`,
    },
    logIns: demoAccounts.map(({ name, email, password }) => ({ name, email, password })),
    link: { kind: 'ready' },
    wrapper: { kind: 'starting', window: 'headless' },
    my: { kind: 'ready' },
  }
}

function sayWhere({ service, partner, eId, employee }: DemoServers): void {
  say(`
${pc.bold('Partner application')}  ${pc.cyan(partner.url)}   press “Open in Service” beside a patient
${pc.bold('Service')}              ${pc.cyan(service.url)}
${pc.bold('First log-in')}         ${employee.email}  ${employee.password}
${pc.bold('Consumer app')}         ${pc.cyan(`${service.url}/my`)}   for patients: give Åse a workout, then log in as her
${pc.bold('Test e-ID')}            ${pc.cyan(eId.url)}   where they log in; everybody there is invented
`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
