import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'

/**
 * Logs each request by its route, never by its address: an address may hold a handle, a body a person. The line has the id
 * that the client gets in `x-request-id`: the one that the answer has already, such as the partner link's, or a new one.
 */
export function logRequests(logger: Logger) {
  return createMiddleware(async (c, next) => {
    const startedAt = performance.now()
    await next()
    const durationMs = Math.round(performance.now() - startedAt)
    const requestId = c.res.headers.get('x-request-id') ?? randomUUID()
    c.header('x-request-id', requestId)
    logger.info(
      { requestId, method: c.req.method, route: routePath(c), status: c.res.status, durationMs },
      'request',
    )
  })
}
