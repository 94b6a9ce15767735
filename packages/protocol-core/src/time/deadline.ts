import { type Measure, ParameterError } from '../errors/parameter-error.ts'

/** Longest time that a timer can wait, in milliseconds. A longer one would end after 1 ms. */
export const maxTimerMs = 2 ** 31 - 1

/** Kind of every time-out that a caller gives. */
export const milliseconds: Measure = { what: 'a number of milliseconds' }

/** A signal with resources of its own. Dispose it when the work that it limits has ended. */
export interface LimitingSignal extends Disposable {
  readonly signal: AbortSignal
  /** Aborts the signal at once. */
  abort(reason: unknown): void
}

/**
 * The limit of one operation. Make it where the options of the caller come in, and pass it down to each step: all steps
 * then share one time-out and one signal.
 *
 * ```ts
 * const deadline = new Deadline(5_000, signal)
 * const socket = await deadline.waitFor(connect(), () => new Error('No connection within 5 s.'))
 * const reply = await deadline.waitFor(ask(socket), () => new Error('No reply within 5 s.'))
 * ```
 */
export class Deadline {
  /** The time-out of the whole operation, in milliseconds. */
  readonly timeoutMs: number
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
  /** The end, as time of `performance.now()`. */
  readonly dueMs: number

  /**
   * @param timeoutMs milliseconds from now; `Infinity` and all above {@link maxTimerMs} are {@link maxTimerMs}, 24 days
   * @throws {ParameterError} when the time-out is negative or not a number
   */
  constructor(timeoutMs: number, signal?: AbortSignal) {
    // The comparison is also false for NaN.
    if (!(timeoutMs >= 0)) throw new ParameterError('timeoutMs', 'a number of milliseconds, 0 or more')
    this.timeoutMs = Math.min(timeoutMs, maxTimerMs)
    this.signal = signal
    this.dueMs = performance.now() + this.timeoutMs
  }

  /** Milliseconds until the end, 0 or more. */
  get leftMs(): number {
    return Math.max(0, this.dueMs - performance.now())
  }

  /** Whether the time is over. Ignores the signal. */
  get isOver(): boolean {
    return performance.now() >= this.dueMs
  }

  /** The limit of a step: the given time, or the time left if that is less. The signal stays. */
  atMost(timeoutMs: number): Deadline {
    return new Deadline(Math.min(timeoutMs, this.leftMs), this.signal)
  }

  /**
   * Waits for work that goes on by itself. The work goes on after the wait is given up.
   *
   * @param timeoutError makes the error that is thrown when the time is over
   * @throws the signal's reason when it aborts, and whatever the promise rejects with
   */
  waitFor<Value>(promise: Promise<Value>, timeoutError: () => Error): Promise<Value> {
    return waitFor(promise, this.signal, { leftMs: this.leftMs, timeoutError })
  }

  /**
   * Makes a signal that aborts at the end, or when the caller's signal or `other` does. Its timer keeps the process alive.
   *
   * @param timeoutError makes the signal's reason for the case that the time is over
   */
  limit(timeoutError: () => Error, other?: AbortSignal): LimitingSignal {
    const controller = new AbortController()
    const { signal } = this
    const abort = () => controller.abort(signal?.aborted ? signal.reason : other?.reason)
    const timer = setTimeout(() => controller.abort(timeoutError()), this.leftMs)
    if (signal?.aborted || other?.aborted) abort()
    // Not `AbortSignal.any`: it takes longer than all else here. In Node 20 it keeps memory for each call as long as a signal lives.
    signal?.addEventListener('abort', abort)
    other?.addEventListener('abort', abort)
    return {
      signal: controller.signal,
      abort: reason => controller.abort(reason),
      [Symbol.dispose]() {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        other?.removeEventListener('abort', abort)
      },
    }
  }
}

/**
 * Waits for work that goes on by itself. The work also goes on when the wait is given up; its failure is then ignored.
 *
 * @param limit time for the wait, and the error when it is over. Default: none
 * @throws the signal's reason when it aborts, and whatever the promise rejects with
 */
export function waitFor<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
  limit?: { readonly leftMs: number; readonly timeoutError: () => Error },
): Promise<Value> {
  if (!signal && !limit) return promise
  return new Promise((resolve, reject) => {
    const abort = () => settle(reject, signal?.reason)
    const timer = limit && setTimeout(() => settle(reject, limit.timeoutError()), limit.leftMs)
    const settle = <Outcome>(end: (outcome: Outcome) => void, outcome: Outcome) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      end(outcome)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
    promise.then(
      value => settle(resolve, value),
      reason => settle(reject, reason),
    )
  })
}

/**
 * Waits for a time.
 *
 * @param delayMs milliseconds, at most {@link maxTimerMs}
 * @throws the signal's reason when it aborts
 */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const elapsed = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.min(delayMs, maxTimerMs))
  })
  return waitFor(elapsed, signal).finally(() => clearTimeout(timer))
}

/** Bounds of {@link growingPause}. */
export interface GrowingPauseOptions {
  /** First pause, in milliseconds. */
  readonly firstMs: number
  /** Longest pause, in milliseconds. */
  readonly longestMs: number
  /** From 0 to 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined
}

/**
 * Says how long to wait before the next attempt: twice as long each time, less a random part of up to a half. So desktops that
 * fail at the same moment do not all try again at the same moment.
 *
 * @param attempt 0 for the first
 * @returns milliseconds
 */
export function growingPause(
  attempt: number,
  { firstMs, longestMs, random = Math.random }: GrowingPauseOptions,
): number {
  return Math.min(firstMs * 2 ** attempt, longestMs, maxTimerMs) * (0.5 + random() / 2)
}
