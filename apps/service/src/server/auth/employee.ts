import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { watchDatabase } from '../database/failures.ts'
import type { Database } from '../database/tables.ts'
import { type AppEnv, addressQuery, type Employee, recordIdOf, unreadBody } from '../http/api.ts'
import { ApiError } from '../http/api-error.ts'
import { contentSecurityPolicy } from '../http/own-site.ts'
import type { PersonReader } from '../persons/persons.ts'
import type { Auth } from './create-auth.ts'
import { isOver } from './end-sessions.ts'

/**
 * Whether a page in a frame sent the request, or the request loads such a page. Frames and windows of one browser
 * have different sessions. Only the service's own pages can send the header.
 */
function isFramed(headers: Headers): boolean {
  return headers.has('x-framed') || isForFrame(headers.get('sec-fetch-dest'))
}

function isForFrame(destination: string | null | undefined): boolean {
  return destination === 'iframe' || destination === 'frame'
}

/** Finds the signed-in employee by the session of the frame or of the windows. */
export async function readEmployee(
  auth: Auth,
  database: Database,
  headers: Headers,
): Promise<Employee | undefined> {
  const found = await readSession(auth, headers, isFramed(headers))
  if (!found) return undefined
  const { user, session } = found
  const organization = await database
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', user.organizationId)
    .executeTakeFirstOrThrow()
  return {
    accountId: user.id,
    name: user.name,
    email: user.email,
    organizationId: user.organizationId,
    organizationName: organization.name,
    sessionId: session.id,
    ...(session.linkId == null ? {} : { linkId: session.linkId }),
  }
}

/**
 * Finds the session of a request, with the partner that made it. A session that is over is deleted. One of a partner that is
 * locked, removed, or may not show a frame any more does not count.
 */
async function readSession(auth: Auth, headers: Headers, isInFrame: boolean) {
  const { api, $context } = isInFrame ? auth.framed : auth
  const found = await api.getSession({ headers })
  if (!found) return undefined
  const { user, session } = found
  if (isOver(session.createdAt, auth.sessionMs)) {
    await (await $context).internalAdapter.deleteSession(session.token)
    return undefined
  }
  if (session.partnerId == null) return { user, session }
  const partner = await auth.partners.get(session.partnerId)
  if (!partner?.isActive || (isInFrame && partner.frameOrigins.length === 0)) return undefined
  return { user, session, partner }
}

/** Whether a request's session does not count because its partner is locked or removed. */
async function isOfLockedPartner(auth: Auth, headers: Headers): Promise<boolean> {
  const { api } = isFramed(headers) ? auth.framed : auth
  const { session } = (await api.getSession({ headers })) ?? {}
  return session?.partnerId != null && !(await auth.partners.get(session.partnerId))?.isActive
}

/**
 * Requires a signed-in employee with the account that the page was drawn for. If another employee signs in in the
 * same browser, the former employee's page can neither read nor write.
 */
export function requireEmployee(auth: Auth, database: Database) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const employee = await readEmployee(auth, database, c.req.raw.headers)
    if (!employee) throw new ApiError('ERR_NOT_SIGNED_IN', 'Nobody is signed in. Sign in and try again.')
    const expected = c.req.header('x-expected-account')
    if (expected !== undefined && expected !== employee.accountId)
      throw new ApiError(
        'ERR_OTHER_ACCOUNT',
        'Somebody else has signed in in this browser. Load the page again.',
      )
    c.set('employee', employee)
    await next()
  })
}

/**
 * The only two addresses of the log-in library: `POST /sign-in/email` for windows, and `POST /sign-out` for windows
 * and frames. The library has dozens more, for example to change name and password. They answer 404.
 */
export function authRoutes(auth: Auth) {
  return new Hono<AppEnv>()
    .post('/sign-in/email', unreadBody<{ email: string; password: string }>(), c => {
      // Refused before the library counts it. The frame's rule has another limit under the same key.
      if (isFramed(c.req.raw.headers)) throw notFound()
      return auth.handler(c.req.raw)
    })
    .post('/sign-out', unreadBody<object>(), c =>
      (isFramed(c.req.raw.headers) ? auth.framed : auth).handler(c.req.raw),
    )
    .all('*', () => {
      throw notFound()
    })
}

function notFound(): ApiError {
  return new ApiError('ERR_NOT_FOUND', 'There is nothing at this address.')
}

interface SessionRoutesOptions {
  readonly auth: Auth
  readonly database: Database
  readonly readPerson: PersonReader
  readonly shownAccounts: readonly {
    readonly email: string
    readonly password: string
    readonly name: string
  }[]
}

const sessionSchema = z.object({ focus: z.string().transform(recordIdOf).optional() })

/**
 * `GET /session`: the signed-in employee or null, and the person with the id `focus` or null, which are all that a
 * page needs at first; links whose contexts may end; and why the session does not count, if the partner is the reason.
 * `GET /sign-in-hint`: accounts to show on the log-in page.
 */
export function sessionRoutes({ auth, database, readPerson, shownAccounts: hint }: SessionRoutesOptions) {
  return new Hono<AppEnv>()
    .get('/session', addressQuery(sessionSchema), async c => {
      const employee = await readEmployee(auth, database, c.req.raw.headers)
      const { focus } = c.req.valid('query')
      const person = employee && focus ? await readPerson(employee.organizationId, focus) : undefined
      const contexts = employee ? await readContexts(auth, database, employee.accountId) : []
      const ended =
        !employee && (await isOfLockedPartner(auth, c.req.raw.headers)) ? ('partnerlocked' as const) : null
      return c.json({
        employee: employee ? forPage(employee) : null,
        person: person ?? null,
        contexts,
        ended,
      })
    })
    .get('/sign-in-hint', c =>
      c.json({ accounts: hint.map(({ email, password, name }) => ({ email, password, name })) }),
    )
}

/** The account's links of partners that may end contexts, with the last end of each. The page shows the person of an ended one no more. */
async function readContexts(auth: Auth, database: Database, accountId: string) {
  const rows = await database
    .selectFrom('partner_employees')
    .select(['employee_digest as linkId', 'partner_id as partnerId', 'last_end as lastEnd'])
    .where('account_id', '=', accountId)
    .execute()
  const known = await Promise.all(
    rows.map(async ({ partnerId, ...context }) =>
      (await auth.partners.get(partnerId))?.ends ? [context] : [],
    ),
  )
  return known.flat()
}

/** The page needs no name of its session. */
const forPage = ({ sessionId: _, ...employee }: Employee) => employee

/**
 * Allows the web app's page in a frame of the partner of its session, for reloads. Mount it before the headers, which
 * allow no frame.
 */
export function framePolicy(auth: Auth) {
  return createMiddleware(async (c, next) => {
    await next()
    const { headers } = c.res
    const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
    if (c.req.method !== 'GET' || !isPage || !isForFrame(c.req.header('sec-fetch-dest'))) return
    const found = await watchDatabase(() => readSession(auth, c.req.raw.headers, true))
    if (!found?.partner) return
    headers.set('content-security-policy', contentSecurityPolicy(undefined, found.partner.frameOrigins))
    headers.delete('x-frame-options')
  })
}
