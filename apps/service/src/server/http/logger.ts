import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { type DestinationStream, type Logger, pino } from 'pino'
import { reasonOf } from '../database/failures.ts'

/** Fields that must never be readable in a log, anywhere in an object; a second line of defense. */
const secretFields = [
  'payload',
  'token',
  'password',
  'cookie',
  'authorization',
  'email',
  'ssn',
  'firstname',
  'middlename',
  'lastname',
  'name',
  'person',
  'contact',
  'delivery',
  'handle',
]

/** Makes the service's log: JSON lines, on stderr. */
export function createLogger(level = 'info', destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { app: 'service' },
      redact: {
        paths: secretFields.flatMap(field => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  )
}

/** An error for the log: its class, its code, and why the database failed. Messages may hold personal data. */
export function errorFacts(error: unknown) {
  const code: unknown = Object(error).code
  return { error: error instanceof Error ? error.name : 'unknown', code, reason: reasonOf(error) }
}

interface RequestObserver {
  observeRequest(method: string, route: string, status: number, seconds: number): void
}

/**
 * Logs each request by its route, never by its address, which may hold a handle. The line has the id that the client
 * gets in `x-request-id`: the answer's own, such as the partner link's, or a new one.
 */
export function logRequests(logger: Logger, metrics?: RequestObserver) {
  return createMiddleware(async (c, next) => {
    const startedAt = performance.now()
    await next()
    const durationMs = performance.now() - startedAt
    const { method } = c.req
    const route = routePath(c)
    const { status } = c.res
    const requestId = c.res.headers.get('x-request-id') ?? randomUUID()
    c.header('x-request-id', requestId)
    logger.info({ requestId, method, route, status, durationMs: Math.round(durationMs) }, 'request')
    metrics?.observeRequest(method, route, status, durationMs / 1000)
  })
}
