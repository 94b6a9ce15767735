import {
  type AuditLog,
  createReceiver,
  EmployeeLinkedError,
  OrganizationBoundError,
  type PartnerDirectory,
  PendingGoneError,
  type Receiver,
  renderBootPage,
} from '@service-link/jwt-payload/receiver'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Auth } from '../auth/create-auth.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction } from '../database/run-transaction.ts'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'
import { readBody } from '../http/read-body.ts'
import type { Metrics } from '../operations/metrics.ts'
import { readIndexPage } from '../web-app.ts'
import { accountLinks } from './account-links.ts'
import { databaseAuditLog } from './audit-log.ts'
import { contactBook } from './contact-book.ts'
import { heldDeliveries, replayGuard } from './held-deliveries.ts'
import { limitRefusals } from './limit-refusals.ts'
import { databaseRateLimiter } from './rate-limiter.ts'
import { sessionMaker, sessionsOf } from './sessions.ts'

/** What {@link createPartnerLink} needs. */
export interface PartnerLinkOptions {
  readonly publicUrl: string
  readonly partners: PartnerDirectory
  /** Where refusals are recorded, after their answers. */
  readonly audit: AuditLog
  /** Told of each request, where there are metrics. */
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
    runTransaction: (work, context) =>
      runTransaction(
        open.database,
        transaction =>
          work({
            replay: replayGuard(transaction),
            accounts: accountLinks(transaction),
            contacts: contactBook(transaction),
            held: heldDeliveries(transaction),
            audit: databaseAuditLog(transaction),
            sessions: sessionMaker(auth, open, transaction),
          }),
        context,
      ),
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

const confirmationSchema = z.object({ handle: z.string().min(1).max(256), confirmed: z.literal(true) })

/**
 * `POST /partner-visits`: links the employee of the visit that waited for this log-in, as the account's owner has confirmed,
 * and lets it take effect. Only in the session of a log-in: whom one link signs in, as in a frame, must not make another.
 */
export function visitRoutes({ completePending }: Receiver) {
  return new Hono<AppEnv>().post('/partner-visits', async c => {
    const { handle } = await readBody(c, confirmationSchema)
    const { accountId, linkId } = c.get('employee')
    if (linkId !== undefined)
      throw new ApiError('ERR_LOG_IN_NEEDED', 'Log in with your password to link an application.')
    try {
      const { delivery, contact } = await completePending(handle, accountId)
      const { id, name, appearance } = delivery.partner
      return c.json({ partner: { id, name, appearance }, contact })
    } catch (error) {
      if (error instanceof PendingGoneError)
        throw new ApiError(
          'ERR_VISIT_GONE',
          'The visit has waited too long. Open the person in the journal again.',
        )
      if (error instanceof EmployeeLinkedError)
        throw new ApiError(
          'ERR_LINKED_ELSEWHERE',
          'This employee of the partner signs in with another account.',
        )
      if (error instanceof OrganizationBoundError)
        throw new ApiError(
          'ERR_ORGANIZATION_BOUND',
          'This organization of the partner belongs to another organization here. Ask the administrator of the service to allow yours.',
        )
      throw error
    }
  })
}
