import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { getIp } from '@better-auth/core/utils/ip'
import type { PartnerDirectory, SessionContext } from '@service-link/receiver'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { serialize } from 'hono/utils/cookie'
import type { DatabaseDialect } from '../database/dialect.ts'
import type { Database, Tables } from '../database/tables.ts'
import { clientAddressHeader } from '../http/client-address.ts'
import { limitWrongPasswords, logInCounts } from './log-in-limits.ts'

export interface CreateAuthOptions {
  readonly database: Database
  readonly dialectName: DatabaseDialect['name']
  readonly publicUrl: string
  readonly secret: string
  /** How long after its beginning a session ends, in milliseconds, although it is used. */
  readonly sessionMs: number
  readonly partners: Pick<PartnerDirectory, 'get'>
}

/**
 * Log-in, passwords and sessions of the service's employees. Visitors cannot make accounts. `framed` has the sessions
 * in partners' frames.
 */
export function createAuth(options: CreateAuthOptions) {
  const { partners, sessionMs } = options
  return { ...createWindowAuth(options), framed: createFrameAuth(options), partners, sessionMs }
}

export type Auth = ReturnType<typeof createAuth>

function createWindowAuth(options: CreateAuthOptions) {
  const counts = logInCounts(options.database)
  return betterAuth({
    ...commonOptions(options),
    plugins: [limitWrongPasswords(counts)],
    secret: options.secret,
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10 },
    // Link and partner are empty for a log-in with a password.
    session: sessionOptions('auth_sessions', false, options),
    advanced: {
      ...hostCookie('service', { sameSite: 'lax' }),
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    rateLimit: {
      enabled: true,
      customRules: { '/sign-in/email': { window: 60, max: 30 } },
      customStorage: counts,
    },
  })
}

/**
 * Sessions in a partner's frame share nothing with the others: they have their own table, key and cookie. The browser
 * keeps the cookie for the partner's site only. Nobody logs in in a frame, because its address cannot be seen.
 */
function createFrameAuth(options: CreateAuthOptions) {
  return betterAuth({
    ...commonOptions(options),
    secret: derivedSecret(options.secret, 'frame session'),
    session: sessionOptions('frame_sessions', true, options),
    advanced: {
      ...hostCookie('service-frame', { sameSite: 'none', partitioned: true }),
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    rateLimit: { enabled: true, customStorage: logInCounts(options.database) },
  })
}

function sessionOptions<IsLinked extends boolean>(
  modelName: string,
  isLinked: IsLinked,
  { sessionMs }: CreateAuthOptions,
) {
  const field = { type: 'string', required: isLinked, input: false } as const
  return {
    modelName,
    expiresIn: sessionMs / 1000,
    disableSessionRefresh: true,
    additionalFields: { linkId: field, partnerId: field },
  }
}

/** `__Host-` limits the cookie to this host. Browsers accept it on https, and on localhost also on http. */
export const hostCookie = (
  name: string,
  attributes: { sameSite: 'lax' | 'none'; partitioned?: boolean },
) => ({
  cookiePrefix: `__Host-${name}`,
  useSecureCookies: false,
  defaultCookieAttributes: { secure: true, httpOnly: true, path: '/', ...attributes },
})

export const derivedSecret = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('base64url')

export function commonOptions({
  database,
  dialectName,
  publicUrl,
}: Pick<CreateAuthOptions, 'database' | 'dialectName' | 'publicUrl'>) {
  return {
    appName: 'Service',
    baseURL: publicUrl,
    basePath: '/api/auth',
    database: { db: database, type: dialectName },
    trustedOrigins: [new URL(publicUrl).origin],
    user: {
      modelName: 'auth_users',
      additionalFields: { organizationId: { type: 'number', required: true, input: false } },
    },
    account: { modelName: 'auth_accounts' },
    verification: { modelName: 'auth_verifications' },
    logger: { disabled: true },
    // Otherwise the library prints an unexpected error, with the values of its statement.
    onAPIError: { throw: true },
    telemetry: { enabled: false },
    // Otherwise each call makes a span for a tracer that is not there.
    experimental: { instrumentation: { enabled: false } },
  } satisfies BetterAuthOptions
}

/** A session of the log-in library that the caller writes. */
export interface NewSession {
  readonly table: 'auth_sessions' | 'frame_sessions'
  readonly row: Tables['auth_sessions']
  readonly setCookies: readonly string[]
}

/**
 * Makes sessions for employees whom the partner link has identified. The row is written with the other effects of a post,
 * and the log-in library reads it. Making row and cookie by the library takes an eighth of a post's time.
 */
export function newSessions(auth: Auth) {
  return async (
    accountId: string,
    { headers }: Request,
    { isFramed, linkId, partnerId }: SessionContext,
  ): Promise<NewSession> => {
    const { options, $context } = isFramed ? auth.framed : auth
    const { authCookies, secret, sessionConfig } = await $context
    const { name, attributes } = authCookies.sessionToken
    const token = randomBytes(24).toString('base64url')
    const now = new Date()
    const row = {
      id: randomUUID(),
      token,
      userId: accountId,
      linkId,
      partnerId,
      ipAddress: getIp(headers, options) ?? '',
      userAgent: headers.get('user-agent') ?? '',
      expiresAt: new Date(now.getTime() + sessionConfig.expiresIn * 1000),
      createdAt: now,
      updatedAt: now,
    }
    const signature = createHmac('sha256', secret).update(token).digest('base64')
    const cookie = { ...attributes, maxAge: sessionConfig.expiresIn }
    const setCookies = [serialize(name, `${token}.${signature}`, cookie)]
    return { table: isFramed ? 'frame_sessions' : 'auth_sessions', row, setCookies }
  }
}
