// Deadlines, pauses and waits. A separate entry, so that a short-lived process need not load the schemas.
export { Arrivals, type WaitOptions } from './arrivals.ts'
export {
  Deadline,
  type GrowingPauseOptions,
  growingPause,
  type LimitingSignal,
  maxTimerMs,
  milliseconds,
  pause,
  waitFor,
} from './deadline.ts'
