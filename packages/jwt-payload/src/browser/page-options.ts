import { ParameterError } from '@service-link/protocol-core/errors'

/** Checks the option `signal`. */
export function assertSignal(signal: AbortSignal | undefined): void {
  if (signal && !signal.throwIfAborted)
    throw new ParameterError('options.signal', 'an AbortSignal: controller.signal')
}

/**
 * Checks the option `timeoutMs`. Does not use `assertMeasure`, which would make the bundle larger.
 *
 * @returns the time-out, in milliseconds. Default 30,000
 */
export function assertTimeout(timeoutMs: unknown = 30_000): number {
  if (typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs < 2 ** 31) return timeoutMs
  const expected = 'a number of milliseconds from 1 to 2147483647'
  const given = typeof timeoutMs === 'number' ? timeoutMs : `of type ${typeof timeoutMs}`
  throw new ParameterError('options.timeoutMs', expected, `must be ${expected}, not ${given}.`)
}
