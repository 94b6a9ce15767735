import { hkdfSync } from 'node:crypto'
import { betterAuth } from 'better-auth'
import type { DatabaseDialect } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'
import { consumerSession } from './consumer-session.ts'

/** How long a consumer's session lasts without use, in seconds. */
export const consumerSessionSeconds = 30 * 60

/** What {@link createConsumerAuth} needs. */
export interface CreateConsumerAuthOptions {
  readonly database: Database
  readonly dialectName: DatabaseDialect['name']
  /** Where browsers reach the service. */
  readonly publicUrl: string
  /** The service's key of cookies; a key of its own is derived from it. */
  readonly secret: string
}

/**
 * Sessions of the consumer app. They share nothing with the employees': other tables, another cookie, another key of its
 * signature. None of the library's addresses is reachable; the service's own routes call it.
 */
export function createConsumerAuth(options: CreateConsumerAuthOptions) {
  const { database, dialectName, publicUrl, secret } = options
  return betterAuth({
    appName: 'Service, my workouts',
    baseURL: publicUrl,
    basePath: '/api/my',
    secret: Buffer.from(hkdfSync('sha256', secret, '', 'consumer session', 32)).toString('base64url'),
    database: { db: database, type: dialectName },
    trustedOrigins: [publicUrl],
    user: {
      modelName: 'consumer_users',
      additionalFields: { identityNumber: { type: 'string', required: true, input: false } },
    },
    session: { modelName: 'consumer_sessions', expiresIn: consumerSessionSeconds, updateAge: 60 },
    // __Host- keeps the cookie to this very host; browsers take it on https, and on localhost also on http.
    advanced: {
      cookiePrefix: '__Host-my',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { disableIpTracking: true },
    },
    rateLimit: { enabled: false },
    logger: { disabled: true },
    telemetry: { enabled: false },
    plugins: [consumerSession()],
  })
}

/** See {@link createConsumerAuth}. */
export type ConsumerAuth = ReturnType<typeof createConsumerAuth>
