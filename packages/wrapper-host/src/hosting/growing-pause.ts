import { longestWaitMs } from '../command/time-limit.ts'

/** Bounds of pauses that grow. */
export interface GrowingPauseOptions {
  /** The first, in milliseconds. */
  readonly firstMs: number
  /** None is longer, in milliseconds. */
  readonly longestMs: number
  /** From 0 to 1. Default `Math.random`. */
  readonly random?: () => number
}

/**
 * How long to wait before the next attempt: twice as long each time, and less of that by chance, half of it at least. What fails
 * on all desktops at once is not tried by all of them at once.
 *
 * @param attempt 0 for the first
 * @returns milliseconds
 */
export function growingPause(
  attempt: number,
  { firstMs, longestMs, random = Math.random }: GrowingPauseOptions,
): number {
  return Math.min(firstMs * 2 ** attempt, longestMs, longestWaitMs) * (0.5 + random() / 2)
}
