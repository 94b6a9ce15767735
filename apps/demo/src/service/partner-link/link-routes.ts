import { LinkNotFoundError, type Receiver } from '@service-link/jwt-payload/receiver'
import { Hono } from 'hono'
import type { Database } from '../database/tables.ts'
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
  /** The owner has not dismissed the notice of it. A session that the link itself has made is not told. */
  readonly isNew: boolean
}

/**
 * `GET /partner-links`: which employees of partners sign in to one's own account. `DELETE /partner-links/:id`: ends such a link,
 * so that the employee's next visit asks for a log-in again. `POST /partner-links/:id/seen`: dismisses the notice of a new one;
 * who came by that very link cannot, and may be the one of whom the owner is to be told.
 *
 * @param nameOf what people call a partner; `undefined` for one that is not registered any more
 */
export function linkRoutes(
  { links, unlink }: Pick<Receiver, 'links' | 'unlink'>,
  nameOf: (partnerId: string) => string | undefined,
  database: Database,
) {
  return new Hono<AppEnv>()
    .get('/partner-links', async c => {
      const employee = c.get('employee')
      const found = await links(employee.accountId)
      const rows = await database
        .selectFrom('partner_employees')
        .select('employee_digest')
        .where('account_id', '=', employee.accountId)
        .where('seen_at', 'is', null)
        .execute()
      const newIds = rows.map(row => row.employee_digest).filter(id => id !== employee.linkId)
      const entries = found.map(
        ({ linkId, partnerId, organizationId, linkedAt }): PartnerLinkEntry => ({
          id: linkId,
          partnerName: nameOf(partnerId) ?? partnerId,
          organizationId,
          linkedAt: linkedAt.toISOString(),
          isNew: newIds.includes(linkId),
        }),
      )
      return c.json({ links: entries })
    })
    .post('/partner-links/:id/seen', async c => {
      const id = c.req.param('id')
      const { accountId, linkId } = c.get('employee')
      if (id === linkId) throw notLinked()
      const { numUpdatedRows } = await database
        .updateTable('partner_employees')
        .set({ seen_at: new Date().toISOString() })
        .where('employee_digest', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw notLinked()
      return c.json({ status: 'seen' })
    })
    .delete('/partner-links/:id', async c => {
      // One id in the audit log, the service's log and the answer.
      const requestId = crypto.randomUUID()
      c.header('x-request-id', requestId)
      try {
        await unlink(c.req.param('id'), c.get('employee').accountId, requestId)
        return c.json({ status: 'unlinked' })
      } catch (error) {
        if (error instanceof LinkNotFoundError) throw notLinked()
        throw error
      }
    })
}

function notLinked(): ApiError {
  return new ApiError('ERR_NOT_FOUND', 'This application is not linked to your account any more.')
}
