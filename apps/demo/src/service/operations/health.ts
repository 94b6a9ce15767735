import { Hono } from 'hono'
import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'

/** State of one part. Nothing else is told, because strangers can ask. */
type PartState = 'ok' | 'failing'

/** Whether the service can take requests, and which part keeps it from that. */
interface Readiness {
  readonly isReady: boolean
  readonly parts: { readonly process: PartState; readonly database: PartState }
}

/** Tells whether the service can take requests. */
export interface ReadinessCheck {
  /** Asks the parts. Never rejects, and takes no longer than the time-out. */
  check(): Promise<Readiness>
  /** From now on the answer is no: the service ends. */
  stop(): void
}

/**
 * Makes the check: ready while the database answers and the service does not end. It begins when the migrations are done.
 *
 * @param timeoutMs how long the database may take, in milliseconds
 */
export function createReadinessCheck(database: Database, timeoutMs = 2000): ReadinessCheck {
  let isStopping = false
  let running: Promise<PartState> | undefined
  /** One question at a time, whoever asks: a database that hangs is not asked once more by each caller. */
  const askDatabase = (): Promise<PartState> => {
    running ??= sql`select 1`
      .execute(database)
      .then(
        (): PartState => 'ok',
        (): PartState => 'failing',
      )
      .finally(() => {
        running = undefined
      })
    return running
  }
  return {
    async check() {
      const state = await within(timeoutMs, askDatabase())
      const parts = { process: isStopping ? 'failing' : 'ok', database: state } as const
      return { isReady: !isStopping && state === 'ok', parts }
    },
    stop() {
      isStopping = true
    },
  }
}

async function within(timeoutMs: number, state: Promise<PartState>): Promise<PartState> {
  const { promise: late, resolve } = Promise.withResolvers<PartState>()
  const timer = setTimeout(() => resolve('failing'), timeoutMs)
  try {
    return await Promise.race([state, late])
  } finally {
    clearTimeout(timer)
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
