import { hkdfSync } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import type { DatabaseDialect } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'
import { clientAddressHeader } from '../http/client-address.ts'
import { limitWrongPasswords, logInCounts } from './log-in-limits.ts'

/** How long a session lasts without use, in seconds: one working day. */
const sessionSeconds = 12 * 60 * 60

interface CreateAuthOptions {
  readonly database: Database
  readonly dialectName: DatabaseDialect['name']
  readonly publicUrl: string
  readonly secret: string
  /** Origins whose pages may frame the service, from the partner's registration. Empty for an inactive partner. */
  readonly frameOriginsOf: (partnerId: string) => readonly string[]
}

/**
 * Log-in, passwords and sessions of the service's employees. Visitors cannot make accounts. `framed` has the sessions
 * in partners' frames.
 */
export function createAuth(options: CreateAuthOptions) {
  const { frameOriginsOf } = options
  return { ...createWindowAuth(options), framed: createFrameAuth(options), frameOriginsOf }
}

export type Auth = ReturnType<typeof createAuth>

function createWindowAuth(options: CreateAuthOptions) {
  const counts = logInCounts(options.database)
  return betterAuth({
    ...commonOptions(options),
    plugins: [limitWrongPasswords(counts)],
    secret: options.secret,
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10 },
    session: {
      modelName: 'auth_sessions',
      expiresIn: sessionSeconds,
      updateAge: 60 * 60,
      // Empty for a log-in with a password.
      additionalFields: { linkId: { type: 'string', required: false, input: false } },
    },
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
    session: {
      modelName: 'frame_sessions',
      expiresIn: sessionSeconds,
      updateAge: 60 * 60,
      additionalFields: {
        linkId: { type: 'string', required: true, input: false },
        partnerId: { type: 'string', required: true, input: false },
      },
    },
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
    telemetry: { enabled: false },
    // Otherwise each call makes a span for a tracer that is not there.
    experimental: { instrumentation: { enabled: false } },
  } satisfies BetterAuthOptions
}
