import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { errorFacts } from '../http/logger.ts'

interface RepeatOptions {
  readonly job: string
  /** Pause between the end of one run and the start of the next, in milliseconds. */
  readonly everyMs: number
  readonly logger: Logger
}

/**
 * Runs work now and at intervals, one run at a time, until disposed, which waits for the running one. Resolves after the first
 * run. A failed run is logged by its error's class, code and reason.
 */
export async function repeat(work: () => Promise<void>, { job, everyMs, logger }: RepeatOptions) {
  const run = () =>
    work().catch((error: unknown) => logger.error({ job, ...errorFacts(error) }, 'job failed'))
  const end = new AbortController()
  const goOn = async () => {
    for (;;) {
      await delay(everyMs, undefined, { ref: false, signal: end.signal })
      await run()
    }
  }
  await run()
  // Rejects at the end.
  const running = goOn().catch(() => undefined)
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await running
    },
  }
}
