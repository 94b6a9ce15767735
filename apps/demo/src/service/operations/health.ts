import { Deadline } from '@service-link/protocol-core/time'
import { Hono } from 'hono'
import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'

type PartState = 'ok' | 'failing'

/** Checks whether the service can take requests: the database answers, and the service is not closing. */
export type ReadinessCheck = ReturnType<typeof createReadinessCheck>

/** Makes the check. Its answer names only parts, because strangers can read it. */
export function createReadinessCheck(database: Database, timeoutMs = 2000) {
  let isStopping = false
  let running: Promise<unknown> | undefined
  /** All callers share one question, so that a hanging database is asked once. */
  const askDatabase = () => {
    running ??= sql`select 1`.execute(database).finally(() => {
      running = undefined
    })
    return running
  }
  return {
    async check() {
      const state = await new Deadline(timeoutMs)
        .waitFor(askDatabase(), () => new Error('The database did not answer in time.'))
        .then(
          (): PartState => 'ok',
          (): PartState => 'failing',
        )
      const parts = { process: isStopping ? 'failing' : 'ok', database: state } as const
      return { isReady: !isStopping && state === 'ok', parts }
    },
    stop() {
      isStopping = true
    },
  }
}

const retryAfterSeconds = 5

/** `GET /live`: the process answers; restart it if not. `GET /ready`: it can take requests; send none at 503. */
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
