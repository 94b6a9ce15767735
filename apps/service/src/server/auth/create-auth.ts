import { hkdfSync } from 'node:crypto'
import type { PartnerDirectory } from '@service-link/receiver'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import type { DatabaseDialect } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'
import { clientAddressHeader } from '../http/client-address.ts'
import { limitWrongPasswords, logInCounts } from './log-in-limits.ts'

interface CreateAuthOptions {
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
    // `__Host-` limits the cookie to this host. Browsers accept it on https, and on localhost also on http.
    advanced: {
      cookiePrefix: '__Host-service',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
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
    secret: Buffer.from(hkdfSync('sha256', options.secret, '', 'frame session', 32)).toString('base64url'),
    session: sessionOptions('frame_sessions', true, options),
    advanced: {
      cookiePrefix: '__Host-service-frame',
      useSecureCookies: false,
      defaultCookieAttributes: {
        secure: true,
        httpOnly: true,
        sameSite: 'none',
        partitioned: true,
        path: '/',
      },
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

function commonOptions({ database, dialectName, publicUrl }: CreateAuthOptions) {
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
