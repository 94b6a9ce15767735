import {
  type AuditLog,
  createReceiver,
  type PartnerDirectory,
  type Receiver,
  renderBootPage,
} from '@service-link/jwt-payload/receiver'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import type { Auth } from '../auth/create-auth.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import type { AppEnv } from '../http/app-env.ts'
import { contentSecurityPolicy } from '../http/own-site.ts'
import { readIndexPage } from '../http/web-app.ts'
import type { Metrics } from '../operations/metrics.ts'
import { limitRefusals } from './limit-refusals.ts'
import { databaseRateLimiter } from './rate-limiter.ts'
import { receiverTransactions, sessionsOf } from './receiver-stores.ts'

/** Options of {@link createPartnerLink}. */
interface PartnerLinkOptions {
  readonly publicUrl: string
  readonly partners: PartnerDirectory
  /** Records refusals, after their answers. */
  readonly audit: AuditLog
  /** Counts each request. */
  readonly metrics: Metrics | undefined
  readonly auth: Auth
  readonly open: OpenDatabase
  readonly webAppFolder: string
  readonly logger: Logger
}

/** Path of the post, below the service's address (specification 4.1). */
export const payloadPath = '/partner/payload'

/** The service's side of the partner link: one transaction a post, over the service's own database. */
export function createPartnerLink(options: PartnerLinkOptions): Receiver {
  const { publicUrl, partners, auth, open, webAppFolder, logger, metrics, audit } = options
  return createReceiver({
    url: `${publicUrl}${payloadPath}`,
    partners,
    rateLimiter: databaseRateLimiter(open.database),
    audit,
    runTransaction: receiverTransactions(auth, open),
    sessions: sessionsOf(auth, open),
    renderPage: async (outcome, { nonce }) =>
      renderBootPage(await readIndexPage(webAppFolder), outcome, { nonce }),
    contentSecurityPolicy,
    onEvent({ requestId, event, result, partnerId, cause }) {
      const error = cause instanceof Error ? { error: cause.name } : {}
      logger[cause === undefined ? 'info' : 'error'](
        { requestId, event, result, partnerId, ...error },
        'partner link',
      )
      metrics?.observePartnerLink({ result, partnerId })
    },
  })
}

/** The partner link's public addresses. */
export function receiverRoutes({ receive, open }: Receiver, metrics?: Metrics) {
  const limit = limitRefusals({
    onLimited: () => metrics?.observePartnerLink({ result: 'ERR_RATE_LIMITED', partnerId: undefined }),
  })
  return new Hono<AppEnv>()
    .use(payloadPath, limit)
    .use(`${payloadPath}/open/*`, limit)
    .all(payloadPath, c => receive(c.req.raw))
    .all(`${payloadPath}/open/:handle`, c => open(c.req.raw))
}
