import { Hono } from 'hono'
import type { ReadinessCheck } from './readiness.ts'

/** Seconds after which asking again is worth it. */
const retryAfterSeconds = 5

/**
 * `GET /live`: the process answers; restart it when it does not. `GET /ready`: it can take requests; send it none when it
 * says 503.
 */
export function healthRoutes(readiness: ReadinessCheck) {
  return new Hono()
    .use(async (c, next) => {
      c.header('cache-control', 'no-store')
      await next()
    })
    .get('/live', c => c.json({ status: 'ok' }))
    .get('/ready', async c => {
      const { isReady, parts } = await readiness.check()
      if (isReady) return c.json({ status: 'ok', parts })
      c.header('retry-after', String(retryAfterSeconds))
      return c.json({ status: 'failing', parts }, 503)
    })
}
