import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Logger } from 'pino'
import { isUnavailable, watchDatabase } from '../database/database-failures.ts'
import type { Database } from '../database/tables.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { ConsumerAuth } from './consumer-auth.ts'
import type { EIdSettings } from './e-id-settings.ts'
import { finishLogIn } from './finish-log-in.ts'
import type { IssuerConnection } from './issuer-connection.ts'
import { limitLogIns } from './limit-log-ins.ts'
import { LogInProblem, type LogInProblemCode, logInProblems } from './log-in-problem.ts'
import { type TransactionSeal, transactionCookie, transactionSeconds } from './log-in-transaction.ts'
import { problemPage } from './problem-page.ts'
import { useTransaction } from './use-transaction.ts'

/** The issuer that consumers log in with. */
export interface ConsumerIssuer {
  readonly settings: EIdSettings
  readonly connection: IssuerConnection
}

/** What {@link logInRoutes} needs. */
export interface LogInRoutesOptions {
  readonly publicUrl: string
  readonly database: Database
  readonly auth: ConsumerAuth
  readonly seal: TransactionSeal
  /** `undefined`: the consumer app is not set up. */
  readonly issuer: ConsumerIssuer | undefined
  readonly logger: Logger
}

/** Path that the issuer sends browsers back to; registered there with the service's address before it. */
export const callbackPath = '/my/callback'

/** Binds the cookie to this host and to this browser's own way back from the issuer. */
const cookieAttributes = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const

/**
 * Below `/my`: `GET /log-in` leaves for the issuer, `GET /callback` comes back from it; whatever goes wrong is a page that
 * says so.
 */
export function logInRoutes(options: LogInRoutesOptions) {
  const { publicUrl, database, auth, seal, issuer, logger } = options
  const limit = limitLogIns(database)
  const app = new Hono<AppEnv>()
    // A lost database is said by a page here, not by the API's answer.
    .on('GET', ['/log-in', '/callback'], (_c, next) => watchDatabase(next))
    .use('/log-in', limit)
    .get('/log-in', async c => {
      c.header('cache-control', 'no-store')
      // Begun by this service's own page only; who comes from elsewhere sees that page first.
      if (c.req.header('sec-fetch-site') === 'cross-site') return c.redirect('/my', 303)
      const { settings, connection } = expectIssuer(issuer)
      const configuration = await connection.get()
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
        // Workouts are health data, and devices are shared: each log-in is one of the person who is there now.
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
      const { settings, connection } = expectIssuer(issuer)
      const transaction = await seal.open(getCookie(c, transactionCookie))
      if (!transaction) throw new LogInProblem('ERR_EID_GONE')
      const callback = new URL(publicUrl + callbackPath)
      callback.search = new URL(c.req.url).search
      // Any page can lead a browser here; only who knows the state ends the log-in.
      const states = callback.searchParams.getAll('state')
      if (states.length !== 1 || states[0] !== transaction.state) throw new LogInProblem('ERR_EID_ANSWER')
      deleteCookie(c, transactionCookie, cookieAttributes)
      if (!(await useTransaction(database, transaction))) throw new LogInProblem('ERR_EID_GONE')
      const person = await finishLogIn(await connection.get(), settings, callback, transaction)
      const { headers } = await auth.api.signInConsumer({
        body: { ...person },
        headers: c.req.raw.headers,
        returnHeaders: true,
      })
      for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
      return c.redirect('/my', 303)
    })
  app.onError((error, c) => {
    const code = isUnavailable(error) ? 'ERR_UNAVAILABLE' : error instanceof LogInProblem && error.code
    if (!code) throw error
    logger.info({ problem: code }, 'consumer log-in')
    return showProblem(c, code)
  })
  return app
}

function expectIssuer(issuer: ConsumerIssuer | undefined): ConsumerIssuer {
  if (!issuer) throw new LogInProblem('ERR_EID_NOT_SET_UP')
  return issuer
}

async function showProblem(c: Context, code: LogInProblemCode): Promise<Response> {
  const [status] = logInProblems[code]
  c.header('cache-control', 'no-store')
  if (status === 503 || status === 429) c.header('retry-after', '60')
  return c.html(await problemPage(code), status)
}
