import {
  type Applied,
  EmployeeLinkedError,
  employeeDigestOf,
  LinkNotFoundError,
  OrganizationBoundError,
  type PageOutcome,
  PendingGoneError,
  type Receiver,
  renderBootPage,
} from '@service-link/receiver'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import * as z from 'zod'
import type { Database } from '../database/tables.ts'
import { type AppEnv, jsonBody } from '../http/api.ts'
import { ApiError } from '../http/api-error.ts'
import { contentSecurityPolicy, readPage } from '../http/own-site.ts'

const confirmationSchema = z.object({ handle: z.string().min(1).max(256), confirmed: z.literal(true) })

/**
 * `POST /partner-visits`: links the employee of a held visit after the owner's confirmation, and lets the visit take
 * effect. It needs the session of a log-in: a session that a link made must not make another link.
 */
export function visitRoutes({ completePending }: Pick<Receiver, 'completePending'>, database: Database) {
  return new Hono<AppEnv>().post('/partner-visits', jsonBody(confirmationSchema), async c => {
    const { handle } = c.req.valid('json')
    const { accountId, linkId, sessionId } = c.get('employee')
    if (linkId !== undefined) throw logInNeeded()
    try {
      const { delivery, contact, account } = await completePending(handle, accountId)
      const linkId = await employeeDigestOf(delivery.employee)
      await database
        .updateTable('partner_employees')
        .set({ ...namesIn(delivery.payload), confirmed_in: sessionId })
        .where('employee_digest', '=', linkId)
        .execute()
      const { id, name, appearance } = delivery.partner
      return c.json({
        partner: { id, name, appearance },
        contact,
        context: { linkId, lastEnd: account.lastEnd ?? null },
      })
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

function namesIn(payload: Applied['delivery']['payload']) {
  const { organizationName, employeeFirstname, employeeLastname, employeeUsername } = payload
  const name = [employeeFirstname, employeeLastname].filter(Boolean).join(' ') || employeeUsername
  return { organization_name: organizationName ?? null, employee_name: name ?? null }
}

interface PartnerLinkEntry {
  readonly id: string
  readonly partnerName: string
  /** The organization's id at the partner. */
  readonly organizationId: string
  readonly organizationName: string | null
  /** The employee's id at the partner. */
  readonly employeeId: string
  readonly employeeName: string | null
  readonly linkedAt: string
  /** The owner has not dismissed its notice. Always false in the session that confirmed the link, and in those that it has made. */
  readonly isNew: boolean
}

/**
 * `GET /partner-links`: the links of the user's own account. `DELETE /partner-links/:id`: ends a link; the employee's
 * next visit asks for a log-in again. `POST /partner-links/:id/seen`: dismisses the notice of a new link.
 *
 * A session that a link made ends that link alone, and dismisses no notice: it may belong to the stranger of whom the notice
 * warns, or to a partner that would be rid of another one.
 */
export function linkRoutes(
  { unlink }: Pick<Receiver, 'unlink'>,
  nameOf: (partnerId: string) => string | undefined,
  database: Database,
) {
  return new Hono<AppEnv>()
    .get('/partner-links', async c => {
      const employee = c.get('employee')
      const rows = await database
        .selectFrom('partner_employees')
        .selectAll()
        .where('account_id', '=', employee.accountId)
        .orderBy('linked_at')
        .execute()
      const entries = rows.map(
        (row): PartnerLinkEntry => ({
          id: row.employee_digest,
          partnerName: nameOf(row.partner_id) ?? row.partner_id,
          organizationId: row.partner_organization_id,
          organizationName: row.organization_name,
          employeeId: row.employee_id,
          employeeName: row.employee_name,
          linkedAt: row.linked_at,
          isNew:
            row.seen_at === null &&
            row.employee_digest !== employee.linkId &&
            row.confirmed_in !== employee.sessionId,
        }),
      )
      return c.json({ links: entries })
    })
    .post('/partner-links/:id/seen', async c => {
      const id = readLinkId(c)
      const { accountId, linkId } = c.get('employee')
      if (linkId !== undefined) throw logInNeeded()
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
      const id = readLinkId(c)
      const { accountId, linkId } = c.get('employee')
      if (linkId !== undefined && linkId !== id) throw logInNeeded()
      // One id in the audit log, the service's log and the answer.
      const requestId = crypto.randomUUID()
      c.header('x-request-id', requestId)
      try {
        await unlink(id, accountId, requestId)
        return c.json({ status: 'unlinked' })
      } catch (error) {
        if (error instanceof LinkNotFoundError) throw notLinked()
        throw error
      }
    })
}

/** A link's id is a digest. Databases do not take every other text. */
function readLinkId(c: Context): string {
  const id = c.req.param('id') ?? ''
  if (!/^[\w-]{43}$/.test(id)) throw notLinked()
  return id
}

function logInNeeded(): ApiError {
  return new ApiError(
    'ERR_LOG_IN_NEEDED',
    'Sign in with your password to connect a program or to change a link.',
  )
}

function notLinked(): ApiError {
  return new ApiError('ERR_NOT_FOUND', 'This program is not connected to your account any more.')
}

const logInWindowPath = '/partner/log-in'

/** Largest form, in bytes: a visit with a partner's logo. */
const maxFormBytes = 128 * 1024

/** The page reads the visit by its own schema, like one that the receiver writes. */
const visitSchema = z.custom<PageOutcome & { kind: 'log-in' }>(value => Object(value).kind === 'log-in')

const formSchema = z.object({ visit: z.string() })

/**
 * `POST /partner/log-in`: shows the log-in of a held visit in a window. The page in a frame sends the visit by a
 * form. Only the body holds the handle: an address stays in histories and logs. The page shows the form's values, so
 * only the service's own pages may send it.
 */
export function logInWindowRoutes(webAppFolder: string, publicUrl: string) {
  return new Hono<AppEnv>()
    .use(logInWindowPath, secureHeaders({ referrerPolicy: 'no-referrer', xFrameOptions: 'DENY' }))
    .use(logInWindowPath, ownFormsOnly)
    .use(logInWindowPath, bodyLimit({ maxSize: maxFormBytes }))
    .post(logInWindowPath, async c => {
      const form = formSchema.safeParse(await c.req.parseBody())
      const visit = visitSchema.safeParse(parseJson(form.data?.visit))
      if (!visit.success) throw new ApiError('ERR_ARGS', 'The request is not acceptable.')
      const requestId = crypto.randomUUID()
      const nonce = crypto.randomUUID()
      const html = renderBootPage(
        await readPage(webAppFolder, 'index', c.req.header('accept-language')),
        { ...visit.data, requestId, frame: undefined },
        { nonce },
      )
      c.header('cache-control', 'no-store')
      c.header('content-security-policy', contentSecurityPolicy(nonce))
      if (publicUrl.startsWith('https:')) c.header('strict-transport-security', 'max-age=31536000')
      return c.html(html)
    })
}

/** A page without referrer posts the origin `null`, also to its own server: `Sec-Fetch-Site` decides. */
const ownFormsOnly = createMiddleware(async (c, next) => {
  if (c.req.header('sec-fetch-site') !== 'same-origin' || c.req.header('sec-fetch-dest') !== 'document')
    throw new ApiError('ERR_ORIGIN', 'This address takes requests from the service’s own pages only.')
  await next()
})

function parseJson(value: string | undefined): unknown {
  try {
    return JSON.parse(value ?? 'null')
  } catch {
    return undefined
  }
}
