import { Deadline } from '@service-link/protocol-core/time'
import { Hono } from 'hono'
import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'

type PartState = 'ok' | 'failing'

/** Tells whether the service can take requests: the database answers, and the service does not end. */
export type ReadinessCheck = ReturnType<typeof createReadinessCheck>

/**
 * Makes the check. Its answer names parts and nothing else, because strangers can ask.
 *
 * @param timeoutMs how long the database may take, in milliseconds
 */
export function createReadinessCheck(database: Database, timeoutMs = 2000) {
  let isStopping = false
  let running: Promise<unknown> | undefined
  /** All callers share one question, so that a database that hangs is asked once. */
  const askDatabase = () => {
    running ??= sql`select 1`.execute(database).finally(() => {
      running = undefined
    })
    return running
  }
  return {
    /** Asks the parts. Never rejects, and takes no longer than the time-out. */
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
    /** From now on the answer is no, because the service ends. */
    stop() {
      isStopping = true
    },
  }
}

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
