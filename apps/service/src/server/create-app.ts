import type { BlockList } from 'node:net'
import type { Partner, Receiver } from '@service-link/receiver'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import type { Logger } from 'pino'
import type { Auth } from './auth/create-auth.ts'
import { authRoutes, framePolicy, requireEmployee, sessionRoutes } from './auth/employee.ts'
import type { OpenDatabase } from './database/open-database.ts'
import type { DemoAccount } from './demo-data.ts'
import { type AppEnv, answerError, databaseOutage } from './http/api.ts'
import { ApiError } from './http/api-error.ts'
import { clientAddress } from './http/client-address.ts'
import { logRequests } from './http/logger.ts'
import { canonicalHost, ownOrigin, securityHeaders, serveWebApp } from './http/own-site.ts'
import type { My } from './my/my-routes.ts'
import { healthRoutes, type ReadinessCheck } from './operations/health.ts'
import type { Metrics } from './operations/metrics.ts'
import { linkRoutes, logInWindowRoutes, visitRoutes } from './partner-link/link-routes.ts'
import { receiverRoutes } from './partner-link/partner-link.ts'
import { personReader, personRoutes } from './persons/persons.ts'
import { exerciseRoutes, workoutRoutes } from './workouts/workout-routes.ts'

/** Largest body of an API request, in bytes. A person with the pipe's largest profile data fits. */
const maxBodyBytes = 2 * 1024 * 1024

interface CreateAppOptions {
  readonly publicUrl: string
  readonly logger: Logger
  readonly auth: Auth
  readonly open: OpenDatabase
  readonly webAppFolder: string
  readonly shownAccounts: readonly DemoAccount[]
  readonly receiver: Receiver
  readonly partnerOf: (id: string) => Partner | undefined
  readonly readiness: ReadinessCheck
  readonly metrics: Metrics | undefined
  readonly trustedProxies: BlockList | undefined
  readonly my: My
}

/** The API's routes, for the web app's client. */
export type Api = ReturnType<typeof apiRoutes>

function apiRoutes({ publicUrl, auth, open, shownAccounts, receiver, partnerOf, my }: CreateAppOptions) {
  const { database, search } = open
  const partnerName = (id: string) => nameOf(partnerOf(id))
  const readPerson = personReader(database, partnerName)
  const data = new Hono<AppEnv>()
    // Lists of exercises have a fifth of their size. Errors stay plain for their readers.
    .use(compress({ contentTypeFilter: /^application\/json\b/ }))
    .use(requireEmployee(auth, database))
    .route('/', personRoutes(open, readPerson))
    .route('/', exerciseRoutes(database, search))
    .route('/', workoutRoutes(database, search))
    .route('/', visitRoutes(receiver, database))
    .route('/', linkRoutes(receiver, partnerName, database))
  return new Hono<AppEnv>()
    .use(async (c, next) => {
      await next()
      // Set afterwards, because the log-in library's answers drop headers that were set before.
      c.header('cache-control', 'no-store')
    })
    .use(ownOrigin(publicUrl))
    .use(bodyLimit({ maxSize: maxBodyBytes }))
    .route('/auth', authRoutes(auth))
    .route('/', sessionRoutes({ auth, database, readPerson, shownAccounts }))
    .route('/my', my.api)
    .route('/', data)
    .all('*', () => {
      throw new ApiError('ERR_NOT_FOUND', 'There is nothing at this address.')
    })
}

export function createApp(options: CreateAppOptions) {
  const { publicUrl, logger, auth, webAppFolder, receiver, my, readiness, metrics, trustedProxies } = options
  const app = new Hono<AppEnv>()
  app.onError(answerError(logger))
  return (
    app
      // Monitors ask every few seconds, so these are neither logged nor counted.
      .route('/health', healthRoutes(readiness))
      .use(logRequests(logger, metrics))
      .use(clientAddress(trustedProxies))
      .use(canonicalHost(publicUrl))
      // Before the headers, because the partner link's pages have their own Content-Security-Policy.
      .route('/', receiverRoutes(receiver, metrics))
      .route('/', logInWindowRoutes(webAppFolder, publicUrl))
      .use(framePolicy(auth))
      .use(securityHeaders(publicUrl))
      .use(databaseOutage)
      .route('/api', apiRoutes(options))
      .route('/', my.pages)
      .route('/', serveWebApp(webAppFolder))
  )
}

function nameOf(partner: Partner | undefined): string | undefined {
  return partner?.appearance.displayName ?? partner?.name
}
