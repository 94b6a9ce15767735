import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { html } from 'hono/html'
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Logger } from 'pino'
import { logInCounts } from '../auth/log-in-limits.ts'
import { isUnavailable, watchDatabase } from '../database/failures.ts'
import type { Database } from '../database/tables.ts'
import type { AppEnv } from '../http/api.ts'
import { clientAddressOf, limitKey } from '../http/client-address.ts'
import type { ConsumerAuth } from './consumer-auth.ts'
import {
  finishLogIn,
  type IssuerConnection,
  LogInProblem,
  type LogInProblemCode,
  logInProblems,
} from './issuer.ts'
import {
  transactionCookie,
  transactionSeal,
  transactionSeconds,
  useTransaction,
} from './log-in-transaction.ts'

interface LogInRoutesOptions {
  readonly publicUrl: string
  readonly secret: string
  readonly database: Database
  readonly auth: ConsumerAuth
  /** `undefined`: the consumer app is not set up. */
  readonly issuer: IssuerConnection | undefined
  readonly logger: Logger
}

/** Path of the issuer's redirect. The full address is registered at the issuer. */
export const callbackPath = '/my/callback'

/** Limits the cookie to this host. The issuer's redirect sends it. */
const cookieAttributes = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const

/** Routes below `/my`: `GET /log-in` redirects to the issuer, `GET /callback` ends the log-in. Failures are pages. */
export function logInRoutes(options: LogInRoutesOptions) {
  const { publicUrl, database, auth, issuer, logger } = options
  const seal = transactionSeal(options.secret)
  const limit = limitLogIns(database)
  const app = new Hono<AppEnv>()
    // A lost database is answered by a page here, not by JSON.
    .on('GET', ['/log-in', '/callback'], (_c, next) => watchDatabase(next))
    .use('/log-in', limit)
    .get('/log-in', async c => {
      c.header('cache-control', 'no-store')
      // Only the service's own page begins a log-in; other sites lead to that page.
      if (c.req.header('sec-fetch-site') === 'cross-site') return c.redirect('/my', 303)
      const { settings, get } = expectIssuer(issuer)
      const configuration = await get()
      const transaction = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
        startedAt: Math.floor(Date.now() / 1000),
      }
      const { state, nonce, codeVerifier } = transaction
      const { scope = 'openid', acrValues = [] } = settings
      const target = buildAuthorizationUrl(configuration, {
        redirect_uri: publicUrl + callbackPath,
        response_type: 'code',
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        // Each log-in authenticates again, because workouts are health data and devices are shared.
        prompt: 'login',
        max_age: String(transactionSeconds),
        ...(acrValues.length > 0 ? { acr_values: acrValues.join(' ') } : {}),
      })
      const sealed = await seal.seal(transaction)
      setCookie(c, transactionCookie, sealed, { ...cookieAttributes, maxAge: transactionSeconds })
      return c.redirect(target.href, 303)
    })
    .use('/callback', limit)
    .get('/callback', async c => {
      c.header('cache-control', 'no-store')
      const { settings, get } = expectIssuer(issuer)
      const transaction = await seal.open(getCookie(c, transactionCookie))
      if (!transaction) throw new LogInProblem('ERR_EID_GONE')
      const callback = new URL(publicUrl + callbackPath)
      callback.search = new URL(c.req.url).search
      // Any page can send a browser here. A wrong state is refused, and the pending log-in stays.
      const states = callback.searchParams.getAll('state')
      if (states.length !== 1 || states[0] !== transaction.state) throw new LogInProblem('ERR_EID_ANSWER')
      deleteCookie(c, transactionCookie, cookieAttributes)
      if (!(await useTransaction(database, transaction))) throw new LogInProblem('ERR_EID_GONE')
      const person = await finishLogIn(await get(), settings, callback, transaction)
      const { headers } = await auth.api.signInConsumer({
        body: { ...person },
        headers: c.req.raw.headers,
        returnHeaders: true,
      })
      for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
      logger.info({ result: 'logged-in' }, 'consumer log-in')
      return c.redirect('/my', 303)
    })
  app.onError((error, c) => {
    const code = isUnavailable(error) ? 'ERR_UNAVAILABLE' : error instanceof LogInProblem && error.code
    if (!code) throw error
    logger.info({ result: code }, 'consumer log-in')
    return showProblem(c, code)
  })
  return app
}

function expectIssuer(issuer: IssuerConnection | undefined): IssuerConnection {
  if (!issuer) throw new LogInProblem('ERR_EID_NOT_SET_UP')
  return issuer
}

async function showProblem(c: Context, code: LogInProblemCode): Promise<Response> {
  const [status] = logInProblems[code]
  c.header('cache-control', 'no-store')
  if (status === 503 || status === 429) c.header('retry-after', '60')
  return c.html(await problemPage(code), status)
}

/** Steps of log-ins of one address in a minute. A log-in has two steps, and many people may share an address. */
const maxSteps = 240

/** Limits how often one address makes the service ask the issuer (`ERR_EID_TOO_MANY`). */
function limitLogIns(database: Database) {
  const counts = logInCounts(database)
  return createMiddleware<AppEnv>(async (c, next) => {
    const caller = limitKey(clientAddressOf(c))
    const counted = await counts.consume(`consumer:${caller}`, { window: 60, max: maxSteps })
    if (!counted.allowed) throw new LogInProblem('ERR_EID_TOO_MANY')
    await next()
  })
}

function problemPage(code: LogInProblemCode) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Not logged in – My workouts</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>
          body {
            margin: 0;
            min-height: 100vh;
            display: grid;
            place-items: center;
            background: linear-gradient(160deg, #e6f3f1, #f6f8f8 55%);
            color: #1d2b2a;
            font: 1rem/1.5 system-ui, sans-serif;
          }
          main {
            box-sizing: border-box;
            width: min(440px, 100% - 32px);
            padding: 28px;
            background: #fff;
            border: 1px solid #e0e7e6;
            border-radius: 12px;
          }
          h1 {
            margin: 0 0 12px;
            font-size: 1.4rem;
          }
          a {
            display: inline-block;
            margin-top: 8px;
            padding: 10px 18px;
            border-radius: 8px;
            background: #0f766e;
            color: #fff;
            font-weight: 600;
            text-decoration: none;
          }
          a:focus-visible {
            outline: 3px solid #b58a2b;
            outline-offset: 2px;
          }
          small {
            color: #4b5b5a;
          }
        </style>
      </head>
      <body>
        <main data-code="${code}">
          <h1>You are not logged in</h1>
          <p>${logInProblems[code][1]}</p>
          <p><a href="/my">Back to my workouts</a></p>
          <small>${code}</small>
        </main>
      </body>
    </html>`
}
