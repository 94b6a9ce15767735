import { ParameterError } from '@service-link/protocol-core/errors'

/**
 * Checks the options of a wait. Does not use `assertMeasure`, which would make the bundle larger.
 *
 * @returns the time-out, in milliseconds. Default 30,000
 */
export function readTimeout(options: {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}): number {
  const { signal, timeoutMs = 30_000 } = options
  if (signal && !signal.throwIfAborted)
    throw new ParameterError('options.signal', 'an AbortSignal: controller.signal')
  if (typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs < 2 ** 31) return timeoutMs
  const expected = 'a number of milliseconds from 1 to 2147483647'
  const given = typeof timeoutMs === 'number' ? timeoutMs : `of type ${typeof timeoutMs}`
  throw new ParameterError('options.timeoutMs', expected, `must be ${expected}, not ${given}.`)
}
