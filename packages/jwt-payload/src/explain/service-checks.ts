import type { ExplainedCheck } from './explained-check.ts'

/**
 * What is left to the service, with what it is going to look at.
 *
 * @param isTrusted whether the signature fits
 */
export function serviceChecks(isTrusted: boolean): readonly ExplainedCheck[] {
  const left = { outcome: 'not-checked', isTrusted } as const
  return [
    {
      ...left,
      check: 'rate',
      says: 'Only the service knows how much you have posted in the last minute (ERR_RATE_LIMITED).',
    },
    {
      ...left,
      check: 'replay',
      says: 'Only the service knows whether this token was posted before; each works once, also when it was posted for a try (ERR_PAYLOAD_REPLAYED).',
    },
  ]
}
