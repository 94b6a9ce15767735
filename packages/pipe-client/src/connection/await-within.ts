import { PipeTimeoutError } from '../errors/pipe-error.ts'
import type { CallBounds } from './call-bounds.ts'

/**
 * Waits for something that goes on by itself. It goes on when the wait is given up, too.
 *
 * @param missing what did not come about when the time is over, see {@link PipeTimeoutError}
 * @throws {PipeTimeoutError} when the time is over; nothing was sent
 * @throws the signal's reason when it is aborted
 * @throws whatever the promise rejects with
 */
export function awaitWithin<Value>(
  promise: Promise<Value>,
  { timeoutMs, spentMs, signal }: CallBounds,
  missing?: string,
): Promise<Value> {
  // Nobody has its rejection when the wait is given up, and a rejection that nobody has ends the process.
  promise.catch(() => {})
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => fail(signal?.reason)
    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const fail = (reason: unknown) => {
      release()
      reject(reason)
    }
    const timer = setTimeout(
      () => fail(new PipeTimeoutError(timeoutMs, false, missing)),
      Math.max(0, timeoutMs - spentMs),
    )
    signal?.addEventListener('abort', abort, { once: true })
    promise.then(value => {
      release()
      resolve(value)
    }, fail)
  })
}
