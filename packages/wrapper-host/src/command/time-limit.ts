/** Longest time that a timer can wait, in milliseconds: above it, Node would wait 1 ms. */
export const longestWaitMs = 2 ** 31 - 1

/** A time limit together with other reasons to give up. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal
}

/**
 * Makes a signal that aborts after a time, or when one of the given signals does.
 *
 * @param timeoutMs milliseconds, at most 24 days; the timer does not keep the process alive
 * @param reason makes the error for the case that the time is over
 */
export function timeLimit(
  timeoutMs: number,
  reason: () => Error,
  ...signals: readonly (AbortSignal | undefined)[]
): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(reason()), Math.min(timeoutMs, longestWaitMs))
  timer.unref()
  const others = signals.filter(signal => signal !== undefined)
  return {
    signal: AbortSignal.any([controller.signal, ...others]),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
