import { LinkNotFoundError, type Receiver } from '@service-link/jwt-payload/receiver'
import { Hono } from 'hono'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'

/** An employee of a partner who signs in to the account that asks. */
export interface PartnerLinkEntry {
  readonly id: string
  readonly partnerName: string
  /** The partner's own identifier of the organization. */
  readonly organizationId: string
  /** ISO 8601, UTC. */
  readonly linkedAt: string
}

/**
 * `GET /partner-links`: which employees of partners sign in to one's own account. `DELETE /partner-links/:id`: ends such a link,
 * so that the employee's next visit asks for a log-in again.
 *
 * @param nameOf what people call a partner; `undefined` for one that is not registered any more
 */
export function linkRoutes(
  { links, unlink }: Pick<Receiver, 'links' | 'unlink'>,
  nameOf: (partnerId: string) => string | undefined,
) {
  return new Hono<AppEnv>()
    .get('/partner-links', async c => {
      const found = await links(c.get('employee').accountId)
      const entries = found.map(
        ({ linkId, partnerId, organizationId, linkedAt }): PartnerLinkEntry => ({
          id: linkId,
          partnerName: nameOf(partnerId) ?? partnerId,
          organizationId,
          linkedAt: linkedAt.toISOString(),
        }),
      )
      return c.json({ links: entries })
    })
    .delete('/partner-links/:id', async c => {
      // One id in the audit log, the service's log and the answer.
      const requestId = crypto.randomUUID()
      c.header('x-request-id', requestId)
      try {
        await unlink(c.req.param('id'), c.get('employee').accountId, requestId)
        return c.json({ status: 'unlinked' })
      } catch (error) {
        if (error instanceof LinkNotFoundError)
          throw new ApiError('ERR_NOT_FOUND', 'This application is not linked to your account any more.')
        throw error
      }
    })
}
