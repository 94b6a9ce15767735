import type { BlockList } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { PartnerRegistration } from '@service-link/receiver'
import type { Logger } from 'pino'
import { buildPages, webApp } from '../build/build-pages.ts'
import { listen } from '../http-server/listen.ts'
import { type Auth, createAuth } from './auth/create-auth.ts'
import { createApp } from './create-app.ts'
import type { DatabaseDialect } from './database/dialect.ts'
import { type OpenDatabase, openDatabase } from './database/open-database.ts'
import { postgresDialect } from './database/postgres.ts'
import { sqliteDialect } from './database/sqlite.ts'
import { type DemoAccount, type DemoPerson, seedAccounts, seedPersons } from './demo-data.ts'
import { createLogger, errorFacts } from './http/logger.ts'
import { deleteEndedConsumers } from './my/consumer-auth.ts'
import { createMy } from './my/my-routes.ts'
import { cleanUp } from './operations/clean-up.ts'
import { createReadinessCheck } from './operations/health.ts'
import { createMetrics, type Metrics, type MetricsAddress, serveMetrics } from './operations/metrics.ts'
import { repeat } from './operations/repeat.ts'
import { type EIdSettings, readAuthSecret } from './operations/settings.ts'
import { keepPartners } from './partner-link/keep-partners.ts'
import { createPartnerLink } from './partner-link/partner-link.ts'
import { databaseAuditLog, watchedAuditLog } from './partner-link/receiver-stores.ts'
import { seedLibrary } from './workouts/library.ts'

export interface CreateServiceOptions {
  readonly port: number
  /**
   * Address to listen on, beside those of the name in {@link publicUrl} if browsers reach this port directly. Default
   * `127.0.0.1`: this machine only.
   */
  readonly host?: string | undefined
  /** Folder of the embedded database and of the key that signs cookies, unless other options give them. Made if missing. */
  readonly dataFolder: string
  /** `postgres://` address of a PostgreSQL 15 or newer; several services may share it. Default: the embedded database. */
  readonly databaseUrl?: string | undefined
  /**
   * Key that signs cookies, at least 32 characters; the same for all services on one database. Default: a file of the
   * folder.
   */
  readonly authSecret?: string | undefined
  /** Where browsers reach the service. Default `http://localhost:<port>`. */
  readonly publicUrl?: string | undefined
  /** Default none. */
  readonly partners?: readonly PartnerRegistration[] | undefined
  /** File with the partners. The running service loads its changes. Default none. */
  readonly partnersFile?: string | undefined
  readonly demoAccounts?: readonly DemoAccount[] | undefined
  /** Persons of the first account's organization, made if missing. Default none. */
  readonly demoPersons?: readonly DemoPerson[] | undefined
  /** Shows the demo accounts with their passwords on the log-in page. Default false. */
  readonly showsDemoAccounts?: boolean | undefined
  /** The national electronic ID of the consumer app. Default none: the app says that it is not set up. */
  readonly eId?: EIdSettings | undefined
  /** Proxies whose `X-Forwarded-For` counts. Default none. */
  readonly trustedProxies?: BlockList | undefined
  /** Address of the metrics. Default: they are not served. */
  readonly metrics?: MetricsAddress | undefined
  /** How long after its log-in a session ends, in hours, although it is used. Default 12. */
  readonly sessionHours?: number | undefined
  /** How long entries of the audit log are kept, in days. Default 400. */
  readonly auditDays?: number | undefined
  /** How long the closing service still takes requests while it reports that it is not ready, in milliseconds. Default 0. */
  readonly drainMs?: number | undefined
  /** How long running requests may take at the end, in milliseconds. Default 10,000. */
  readonly graceMs?: number | undefined
  /** Default: warnings and errors on stderr. */
  readonly logger?: Logger | undefined
}

export type Service = Awaited<ReturnType<typeof createService>>

/** Starts the service: database, log-in, API, partner link and web app on one port. */
export async function createService(options: CreateServiceOptions) {
  const settings = resolveOptions(options)
  const { logger, sessionMs } = settings
  await using resources = new AsyncDisposableStack()
  const webAppFolder = await buildPages(webApp)
  const open = resources.use(await openDatabase(dialectOf(settings.databaseUrl, settings.dataFolder)))
  const metrics = options.metrics && createMetrics(open.pool)
  const metricsServer = metrics && resources.use(await serveMetrics(metrics, options.metrics))
  // Opened before the listener, so that it closes after it.
  const audit = resources.use(openAuditLog(open, logger, metrics))
  const listening = await listen(settings)
  resources.defer(() => listening.close(settings.graceMs))
  const publicUrl = listening.origin
  const { database, dialectName } = open
  const secret = settings.authSecret ?? readAuthSecret(settings.dataFolder)
  const partners = resources.use(await keepPartners({ database, logger, ...settings.partners }))
  const { directory } = partners
  const auth = createAuth({ database, dialectName, publicUrl, secret, sessionMs, partners: directory })
  await seed(auth, open, settings)
  resources.use(await startCleanUp(open, settings))
  const linked = { publicUrl, auth, open, webAppFolder, logger, metrics }
  const receiver = createPartnerLink({ ...linked, partners: directory, audit })
  const readiness = createReadinessCheck(open.checkWrites, logger)
  const app = createApp({
    ...linked,
    receiver,
    readiness,
    shownAccounts: settings.shownAccounts,
    partnerOf: id => partners.partners().find(partner => partner.id === id),
    trustedProxies: settings.trustedProxies,
    my: createMy({ publicUrl, open, secret, sessionMs, webAppFolder, eId: settings.eId, logger }),
  })
  listening.answer((request, env) => app.fetch(request, env))
  resources.defer(async () => {
    listening.announceEnd()
    readiness.stop()
    await delay(settings.drainMs)
  })
  const owned = resources.move()
  const close = () => owned.disposeAsync()
  return {
    url: publicUrl,
    port: listening.port,
    /** Addresses with ports. */
    listensOn: listening.listensOn,
    metricsUrl: metricsServer?.url,
    /** Methods and patterns of all addresses, for a test that must try each. */
    routes: app.routes.map(({ method, path }) => ({ method, path })),
    /** Replaces all registrations, until the next start. */
    replacePartners: partners.put,
    get partnerCount() {
      return partners.partners().length
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

type Settings = ReturnType<typeof resolveOptions>

function resolveOptions(options: CreateServiceOptions) {
  const { port, demoAccounts = [], sessionHours = 12 } = options
  return {
    ...options,
    host: options.host ?? '127.0.0.1',
    publicUrl: options.publicUrl ?? `http://localhost:${port}`,
    partners: { registrations: options.partners ?? [], file: options.partnersFile, refreshMs: 3000 },
    demoAccounts,
    demoPersons: options.demoPersons ?? [],
    shownAccounts: options.showsDemoAccounts ? demoAccounts : [],
    sessionMs: sessionHours * 60 * 60 * 1000,
    auditDays: options.auditDays ?? 400,
    drainMs: options.drainMs ?? 0,
    logger: options.logger ?? createLogger('warn'),
  }
}

/** The audit log. A lost entry is logged and counted. */
function openAuditLog({ database }: OpenDatabase, logger: Logger, metrics: Metrics | undefined) {
  return watchedAuditLog(databaseAuditLog(database), error => {
    logger.error(errorFacts(error), 'audit entry lost')
    metrics?.countAuditFailure()
  })
}

async function seed(auth: Auth, open: OpenDatabase, { demoAccounts, demoPersons }: Settings): Promise<void> {
  const { database, search } = open
  await seedLibrary(database, search)
  await seedAccounts(auth, open, demoAccounts)
  const [first] = demoAccounts
  if (first) await seedPersons(database, search, first, demoPersons)
}

/** Deletes what has expired: now, and every minute. */
function startCleanUp({ database, dialectName }: OpenDatabase, { auditDays, sessionMs, logger }: Settings) {
  const cleanUpNow = async () => {
    const now = new Date()
    await cleanUp({ database, dialectName, auditDays, now })
    await deleteEndedConsumers(database, sessionMs, now.getTime())
  }
  return repeat(cleanUpNow, { job: 'clean up', everyMs: 60_000, logger })
}

export function dialectOf(databaseUrl: string | undefined, dataFolder: string): DatabaseDialect {
  return databaseUrl === undefined ? sqliteDialect(dataFolder) : postgresDialect(databaseUrl)
}
