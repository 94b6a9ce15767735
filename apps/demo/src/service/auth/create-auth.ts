import { betterAuth } from 'better-auth'
import type { DatabaseDialect } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'
import { clientAddressHeader } from '../http/client-address.ts'
import { employeeSession } from './employee-session.ts'
import { logInCounts } from './log-in-counts.ts'

/** How long a session lasts without use, in seconds: one working day. */
export const sessionSeconds = 12 * 60 * 60

/** What {@link createAuth} needs. */
export interface CreateAuthOptions {
  readonly database: Database
  readonly dialectName: DatabaseDialect['name']
  /** Where browsers reach the service; the only origin that may sign in. */
  readonly publicUrl: string
  /** Key of the cookies' signatures, at least 32 characters. */
  readonly secret: string
}

/** Log-in, passwords and sessions of the service's employees; accounts are made by the service, never by a visitor. */
export function createAuth({ database, dialectName, publicUrl, secret }: CreateAuthOptions) {
  return betterAuth({
    appName: 'Service',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    database: { db: database, type: dialectName },
    trustedOrigins: [new URL(publicUrl).origin],
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10 },
    user: {
      modelName: 'auth_users',
      additionalFields: { organizationId: { type: 'number', required: true, input: false } },
    },
    session: { modelName: 'auth_sessions', expiresIn: sessionSeconds, updateAge: 60 * 60 },
    account: { modelName: 'auth_accounts' },
    verification: { modelName: 'auth_verifications' },
    // __Host- keeps the cookie to this very host; browsers take it on https, and on localhost also on http.
    advanced: {
      cookiePrefix: '__Host-service',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    rateLimit: {
      enabled: true,
      customRules: { '/sign-in/email': { window: 60, max: 30 } },
      customStorage: logInCounts(database),
    },
    logger: { disabled: true },
    telemetry: { enabled: false },
    plugins: [employeeSession()],
  })
}

/** See {@link createAuth}. */
export type Auth = ReturnType<typeof createAuth>
