import { constants } from 'node:os'

/** Signals that end the service in order. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Waits for the signal to end. A second one ends the process at once, with the status that shells give for it.
 *
 * @returns resolves at the first signal
 */
export function firstStopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  for (const signal of stopSignals)
    process.on(signal, () => {
      count++
      if (count > 1) process.exit(128 + constants.signals[signal])
      resolve()
    })
  return promise
}
