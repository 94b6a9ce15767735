import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Database } from '../database/tables.ts'
import { ApiError, type AppEnv } from '../http/api.ts'
import { contentSecurityPolicy } from '../http/own-site.ts'
import type { Auth } from './create-auth.ts'
import type { DemoAccount } from './demo-accounts.ts'

/**
 * Whether a page in a frame sent the request, or whether it loads one. A frame has another session than the windows of the
 * same browser. Only the service's own pages can send the header.
 */
function isFramed(headers: Headers): boolean {
  return headers.has('x-framed') || isForFrame(headers.get('sec-fetch-dest'))
}

/** Whether a `Sec-Fetch-Dest` asks for a page to be shown in a frame. */
function isForFrame(destination: string | null | undefined): boolean {
  return destination === 'iframe' || destination === 'frame'
}

/**
 * Finds out who is signed in: in a frame by the frame's session, else by that of the browser's windows.
 *
 * @returns the employee, and the cookies that the log-in library wants renewed
 */
export async function readEmployee(auth: Auth, database: Database, headers: Headers) {
  const { user, linkId, cookies } = await readSession(auth, headers)
  if (!user) return { employee: undefined, cookies }
  const organization = await database
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', user.organizationId)
    .executeTakeFirstOrThrow()
  return {
    employee: {
      accountId: user.id,
      name: user.name,
      email: user.email,
      organizationId: user.organizationId,
      organizationName: organization.name,
      ...(linkId == null ? {} : { linkId }),
    },
    cookies,
  }
}

async function readSession(auth: Auth, headers: Headers) {
  if (!isFramed(headers)) {
    const { response, headers: answer } = await auth.api.getSession({ headers, returnHeaders: true })
    return { user: response?.user, linkId: response?.session.linkId, cookies: answer?.getSetCookie() ?? [] }
  }
  const { response, headers: answer } = await auth.framed.api.getSession({ headers, returnHeaders: true })
  // The partner may have lost its frames, or have been locked out, long before the session ends.
  if (response && auth.frameOriginsOf(response.session.partnerId).length === 0)
    return { user: undefined, linkId: undefined, cookies: [] }
  return { user: response?.user, linkId: response?.session.linkId, cookies: answer?.getSetCookie() ?? [] }
}

/**
 * Lets only signed-in employees through, and only for the account that the page was drawn for. If another employee has signed
 * in in the same browser, a page of the former one must not read or write as the new one.
 */
export function requireEmployee(auth: Auth, database: Database) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { employee, cookies } = await readEmployee(auth, database, c.req.raw.headers)
    if (!employee) throw new ApiError('ERR_NOT_SIGNED_IN', 'Nobody is signed in. Sign in and try again.')
    const expected = c.req.header('x-expected-account')
    if (expected !== undefined && expected !== employee.accountId)
      throw new ApiError(
        'ERR_OTHER_ACCOUNT',
        'Somebody else has signed in in this browser. Load the page again.',
      )
    c.set('employee', employee)
    await next()
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
  })
}

/**
 * The two addresses of the log-in library that the service has: `POST /sign-in/email`, for pages in windows only, and
 * `POST /sign-out`, which ends the session of the kind that the page has. Every other one is not found: the library has
 * dozens, among them a page that shows a caller's words, and the account's name and password to be changed.
 */
export function authRoutes(auth: Auth) {
  return new Hono<AppEnv>()
    .post('/sign-in/email', c => {
      // Before the library counts it: in a frame it would count by another rule under the same key.
      if (isFramed(c.req.raw.headers)) throw notFound()
      return auth.handler(c.req.raw)
    })
    .post('/sign-out', c => (isFramed(c.req.raw.headers) ? auth.framed : auth).handler(c.req.raw))
    .all('*', () => {
      throw notFound()
    })
}

function notFound(): ApiError {
  return new ApiError('ERR_NOT_FOUND', 'There is nothing at this address.')
}

/** `GET /session`: who is signed in; never a failure. `GET /sign-in-hint`: accounts to show on the log-in page. */
export function sessionRoutes(auth: Auth, database: Database, hint: readonly DemoAccount[]) {
  return new Hono<AppEnv>()
    .get('/session', async c => {
      const { employee, cookies } = await readEmployee(auth, database, c.req.raw.headers)
      for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
      return c.json({ employee: employee ?? null })
    })
    .get('/sign-in-hint', c =>
      c.json({ accounts: hint.map(({ email, password, name }) => ({ email, password, name })) }),
    )
}

/**
 * Lets the web app's page load again in a partner's frame that has a session, below this partner's pages only. Mount it before
 * the headers, which allow no frame.
 */
export function framePolicy(auth: Auth) {
  return createMiddleware(async (c, next) => {
    await next()
    const { headers } = c.res
    const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
    if (c.req.method !== 'GET' || !isPage || !isForFrame(c.req.header('sec-fetch-dest'))) return
    const found = await auth.framed.api.getSession({ headers: c.req.raw.headers })
    const origins = found ? auth.frameOriginsOf(found.session.partnerId) : []
    if (origins.length === 0) return
    headers.set('content-security-policy', contentSecurityPolicy(undefined, origins))
    headers.delete('x-frame-options')
  })
}
