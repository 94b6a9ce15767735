import type { Logger } from 'pino'

interface RepeatOptions {
  readonly job: string
  /** Pause between the end of one run and the start of the next, in milliseconds. */
  readonly everyMs: number
  readonly logger: Logger
}

/** Runs work at intervals, one run at a time, until disposed. A failed run is logged by name and code of its error. */
export function repeat(work: () => Promise<void>, { job, everyMs, logger }: RepeatOptions) {
  let running: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const run = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown'
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      logger.error({ job, error: name, code }, 'job failed')
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
