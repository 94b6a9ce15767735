import { longestWaitMs } from '../command/time-limit.ts'

/** Bounds of pauses that grow. */
export interface GrowingPauseOptions {
  /** The first, in milliseconds. */
  readonly firstMs: number
  /** None is longer, in milliseconds. */
  readonly longestMs: number
}

/**
 * How long to wait before the next attempt: twice as long each time.
 *
 * @param attempt 0 for the first
 * @returns milliseconds
 */
export function growingPause(attempt: number, { firstMs, longestMs }: GrowingPauseOptions): number {
  return Math.min(firstMs * 2 ** attempt, longestMs, longestWaitMs)
}
