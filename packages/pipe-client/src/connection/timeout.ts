/** Longest time that a timer can wait, in milliseconds: above it, Node would wait 1 ms. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Makes a time-out one that a timer can keep.
 *
 * @param timeoutMs milliseconds; `Infinity` and all above 24 days wait for 24 days
 * @throws {RangeError} when it is negative or not a number
 */
export function boundTimeout(timeoutMs: number): number {
  // Also false for NaN.
  if (timeoutMs >= 0) return Math.min(timeoutMs, maxTimerMs)
  throw new RangeError('timeoutMs is a number of milliseconds, 0 or more.')
}
