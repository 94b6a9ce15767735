import type { Logger } from 'pino'
import { errorFacts } from '../http/logger.ts'

interface RepeatOptions {
  readonly job: string
  /** Pause between the end of one run and the start of the next, in milliseconds. */
  readonly everyMs: number
  readonly logger: Logger
}

/** Runs work at intervals, one run at a time, until disposed. A failed run is logged by its error's class, code and reason. */
export function repeat(work: () => Promise<void>, { job, everyMs, logger }: RepeatOptions) {
  let running: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const run = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      logger.error({ job, ...errorFacts(error) }, 'job failed')
    }
  }
  const runNow = (): Promise<void> => {
    clearTimeout(timer)
    running ??= run().finally(() => {
      running = undefined
      wait()
    })
    return running
  }
  const wait = (): void => {
    if (!isOver) timer = setTimeout(runNow, everyMs).unref()
  }
  wait()
  return {
    /** Runs the work now, or joins the current run. Never rejects. */
    runNow,
    async [Symbol.asyncDispose]() {
      isOver = true
      clearTimeout(timer)
      await running
    },
  }
}
