import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import type { Metrics } from '../operations/metrics.ts'

/**
 * Logs each request by its route, never by its address: an address may hold a handle, a body a person. The line has the id
 * that the client gets in `x-request-id`: the one that the answer has already, such as the partner link's, or a new one.
 *
 * @param metrics told of each request too. Default: nobody
 */
export function logRequests(logger: Logger, metrics?: Pick<Metrics, 'observeRequest'>) {
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
    metrics?.observeRequest({ method, route, status, durationSeconds: durationMs / 1000 })
  })
}
