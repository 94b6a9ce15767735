import { constants } from 'node:os'

/** Signals of one Ctrl+C, in milliseconds: the terminal sends it, and so does each process that started this one. */
const sameMs = 50

/**
 * Waits for the first signal. A second signal ends the process at once, with the exit code that shells use for it. An
 * end that hangs is cut off after the longest duration.
 */
export function untilSignal(longestEndMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let last: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      const now = performance.now()
      if (last !== undefined && now - last > sameMs) process.exit(128 + constants.signals[signal])
      last = now
      setTimeout(() => process.exit(1), longestEndMs).unref()
      resolve()
    })
  return promise
}
