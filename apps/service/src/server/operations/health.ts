import { Deadline } from '@service-link/protocol-core/time'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { errorFacts } from '../http/logger.ts'

type PartState = 'ok' | 'failing'

/** Checks whether the service can take requests: the database can be written, and the service is not closing. */
export type ReadinessCheck = ReturnType<typeof createReadinessCheck>

/**
 * Makes the check. Its answer names only parts, because strangers can read it; the log has the reason whenever the state of
 * the database changes.
 *
 * @param askDatabase rejects if the database cannot be written
 */
export function createReadinessCheck(askDatabase: () => Promise<unknown>, logger: Logger, timeoutMs = 2000) {
  let isStopping = false
  let isFailing = false
  let running: Promise<unknown> | undefined
  /** All callers share one question, so that a hanging database is asked once. */
  const ask = () => {
    running ??= askDatabase().finally(() => {
      running = undefined
    })
    return running
  }
  const tell = (state: PartState, error?: unknown): PartState => {
    if (isFailing !== (state === 'failing')) {
      isFailing = !isFailing
      if (isFailing) logger.error(errorFacts(error), 'database cannot be written, not ready')
      else logger.info('database can be written again, ready')
    }
    return state
  }
  return {
    async check() {
      const state = await new Deadline(timeoutMs)
        .waitFor(ask(), () => new Error('The database did not answer in time.'))
        .then(
          () => tell('ok'),
          (error: unknown) => tell('failing', error),
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
