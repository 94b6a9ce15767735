import { hkdfSync } from 'node:crypto'
import { Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { EncryptJWT, jwtDecrypt } from 'jose'
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
import { errorFacts } from '../http/logger.ts'
import type { ConsumerAuth } from './consumer-auth.ts'
import {
  finishLogIn,
  type IssuerConnection,
  LogInProblem,
  type LogInProblemCode,
  type LogInTransaction,
  logInStatus,
  transactionSchema,
  transactionSeconds,
} from './issuer.ts'

interface LogInRoutesOptions {
  readonly publicUrl: string
  readonly secret: string
  readonly database: Database
  readonly auth: ConsumerAuth
  /** `undefined`: the consumer app is not set up. */
  readonly issuer: IssuerConnection | undefined
  readonly logger: Logger
  /** The consumer app's page that tells of a failed log-in, by the header `Accept-Language`. */
  readonly problemPage: (code: LogInProblemCode, accepted: string | undefined) => Promise<string>
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
  app.onError(async (error, c) => {
    const code = isUnavailable(error) ? 'ERR_UNAVAILABLE' : error instanceof LogInProblem && error.code
    if (!code) throw error
    const status = logInStatus[code]
    logger[status === 503 ? 'error' : 'info']({ result: code, ...errorFacts(error) }, 'consumer log-in')
    c.header('cache-control', 'no-store')
    if (status === 503 || status === 429) c.header('retry-after', '60')
    return c.html(await options.problemPage(code, c.req.header('accept-language')), status)
  })
  return app
}

function expectIssuer(issuer: IssuerConnection | undefined): IssuerConnection {
  if (!issuer) throw new LogInProblem('ERR_EID_NOT_SET_UP')
  return issuer
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

export const transactionCookie = '__Host-my-log-in'

/** Makes the seal of log-in cookies, with a key derived from the service's own. */
export function transactionSeal(secret: string, now: () => Date = () => new Date()) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'consumer log-in transaction', 32))
  const audience = 'consumer-log-in'
  return {
    /** The encrypted value of the cookie. All processes with the same secret can open it. */
    seal: (transaction: LogInTransaction) =>
      new EncryptJWT(transaction)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(Math.floor(now().getTime() / 1000) + transactionSeconds)
        .encrypt(key),
    /** `undefined` for a value that the service did not seal, or over ten minutes ago. */
    async open(sealed: string | undefined): Promise<LogInTransaction | undefined> {
      if (sealed === undefined) return undefined
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          audience,
          currentDate: now(),
          requiredClaims: ['exp'],
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        })
        return transactionSchema.safeParse(payload).data
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Marks a log-in as used until its cookie expires, so that a copied cookie is useless; `false` if it was used before.
 */
export async function useTransaction(
  database: Database,
  { state, startedAt }: LogInTransaction,
): Promise<boolean> {
  const taken = await database
    .insertInto('used_tokens')
    .values({
      token_key: `consumer-log-in:${state}`,
      expires_at: (startedAt + transactionSeconds + 60) * 1000,
      request_id: crypto.randomUUID(),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('token_key')
    .executeTakeFirst()
  return taken !== undefined
}
