import { randomBytes } from 'node:crypto'
import { defaultBrand, personSchema } from '@service-link/protocol-core'
import {
  type CreateServiceOptions,
  callbackPath,
  createService,
  demoAccounts,
  listen,
} from '@service-link/service'
import { createPartnerKey } from '@service-link/service/testing'
import type { Logger } from 'pino'
import { createEId } from '../e-id/create-e-id.ts'
import { assuranceLevels } from '../e-id/e-id-page.ts'
import { createPartner } from '../journal/create-partner.ts'
import type { ServiceAnswers } from '../launcher/service-answers.ts'
import type { PageKeys } from '../own-pages/page-keys.ts'
import seedPersons from './seed-persons.json' with { type: 'json' }

interface StartServersOptions {
  readonly dataFolder: string
  /** Default, as for the next two: a free port. */
  readonly servicePort?: number
  readonly partnerPort?: number
  readonly eIdPort?: number
  /** Keys of the partner application's pages. */
  readonly keys?: PageKeys
  /** Gets the service's log. Default: warnings and errors on stderr. */
  readonly logger?: Logger
  /** What the service answered, for the launcher. Default: nothing is known. */
  readonly answers?: ServiceAnswers
  readonly onSigned?: (payload: string) => void
  readonly onIdToken?: (token: string) => void
}

export type DemoServers = Awaited<ReturnType<typeof startServers>>

/** Starts the test e-ID, the service and the partner application, and connects them. */
export async function startServers(options: StartServersOptions) {
  const [employee] = demoAccounts
  if (!employee) throw new TypeError('The demo has no account.')
  await using resources = new AsyncDisposableStack()
  const { servicePort = 0, partnerPort = 0, eIdPort = 0, logger, onSigned, onIdToken } = options
  const partnerKey = await createPartnerKey()
  const eId = resources.use(await createEId({ port: eIdPort, ...(onIdToken && { onIdToken }) }))
  const client = { clientId: 'service-my-workouts', clientSecret: randomBytes(32).toString('base64url') }
  const settings: CreateServiceOptions = {
    port: servicePort,
    logger,
    dataFolder: options.dataFolder,
    partners: [partnerKey.registration],
    demoAccounts,
    // The partner link carries no profile data, so two of the journal's patients have theirs here. The first one has a workout.
    demoPersons: seedPersons.map(({ workout, ...person }) => ({ ...personSchema.parse(person), workout })),
    showsDemoAccounts: true,
    eId: {
      ...client,
      issuer: eId.url,
      scope: 'openid profile',
      acrValues: [assuranceLevels.substantial, assuranceLevels.high],
    },
  }
  const service = await createService(settings)
  let running = service
  resources.defer(() => running.close())
  const application = {
    url: `${service.url}/my`,
    name: { en: 'My workouts', nb: 'Mine treningsprogrammer' },
  }
  const registered = {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    redirect_uris: [`${service.url}${callbackPath}`],
    post_logout_redirect_uris: [application.url],
  }
  await eId.register(registered, application)
  const partner = resources.use(
    await createPartner({
      serviceUrl: service.url,
      key: partnerKey,
      keys: options.keys,
      port: partnerPort,
      answers: options.answers,
      ...(onSigned && { onSigned }),
      replacePartners: registrations => running.replacePartners(registrations),
    }),
  )
  const owned = resources.move()
  return {
    /** The service that started first. A restarted one has the same address and data. */
    service,
    partner,
    partnerKey,
    eId,
    employee,
    stopService: () => running.close(),
    async startService() {
      running = await createService({ ...settings, port: service.port })
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Starts a site for the wrapper's update check. It names the newest version, but has no installer. */
export async function createUpdateSite(version: string) {
  const listening = await listen({ host: '127.0.0.1', port: 0 })
  const installer = `/msi/${defaultBrand.application}.${version}.msi`
  listening.answer(request => {
    const { pathname } = new URL(request.url)
    if (pathname === '/msi/version.txt') return new Response(`${version}\n`)
    if (pathname === installer) return new Response(`The installer of version ${version} would be here.\n`)
    return new Response('There is nothing at this address.\n', { status: 404 })
  })
  const { origin: url } = listening
  return { url, [Symbol.asyncDispose]: () => listening.close() }
}
