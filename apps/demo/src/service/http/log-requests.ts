import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'

/** Logs each request by its route, never by its address: an address may hold a handle, a body a person. */
export function logRequests(logger: Logger) {
  return createMiddleware(async (c, next) => {
    const requestId = randomUUID()
    const startedAt = performance.now()
    c.header('x-request-id', requestId)
    await next()
    const durationMs = Math.round(performance.now() - startedAt)
    logger.info(
      { requestId, method: c.req.method, route: routePath(c), status: c.res.status, durationMs },
      'request',
    )
  })
}
