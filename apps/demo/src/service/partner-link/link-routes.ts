import {
  EmployeeLinkedError,
  LinkNotFoundError,
  OrganizationBoundError,
  PendingGoneError,
  type Receiver,
} from '@service-link/jwt-payload/receiver'
import { Hono } from 'hono'
import { z } from 'zod'
import type { Database } from '../database/tables.ts'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readBody } from '../http/read-body.ts'

const confirmationSchema = z.object({ handle: z.string().min(1).max(256), confirmed: z.literal(true) })

/**
 * `POST /partner-visits`: links the employee of a held visit after the owner's confirmation, and lets the visit take effect.
 * Only in the session of a log-in: a session that a link made must not make another link.
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

/** A link of an employee of a partner to the user's own account. */
export interface PartnerLinkEntry {
  readonly id: string
  readonly partnerName: string
  /** The partner's own identifier of the organization. */
  readonly organizationId: string
  /** ISO 8601, UTC. */
  readonly linkedAt: string
  /** The owner has not dismissed its notice. Always false in a session that the link itself has made. */
  readonly isNew: boolean
}

/**
 * `GET /partner-links`: the links of the user's own account. `DELETE /partner-links/:id`: ends a link; the employee's next visit
 * asks for a log-in again. `POST /partner-links/:id/seen`: dismisses the notice of a new link. A session of that very link
 * cannot: it may be the stranger's of whom the notice warns.
 *
 * @param nameOf the shown name of a partner; `undefined` for one that is not registered any more
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
