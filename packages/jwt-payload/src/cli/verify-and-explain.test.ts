import { describe, expect, test } from 'vitest'
import type { ExplainedCheck } from '../explain/explained-check.ts'
import { formatChecks } from './verify-and-explain.ts'

describe('formatChecks', () => {
  const checks: readonly ExplainedCheck[] = [
    { check: 'key', outcome: 'passed', isTrusted: false, says: 'Fits.', change: 'Send another kid.' },
    {
      check: 'signature',
      outcome: 'failed',
      isTrusted: false,
      code: 'ERR_PAYLOAD_SIGNATURE',
      says: 'No.',
      change: 'Sign.',
    },
    { check: 'times', outcome: 'passed', isTrusted: false, says: 'In time.' },
    { check: 'replay', outcome: 'not-checked', isTrusted: false, says: 'The service’s.' },
  ]

  test('prints mark, name, finding, advice and verdict', () => {
    expect(formatChecks(checks, { columns: 80, hasColor: false })).toBe(`! key        Fits.
             → Send another kid.
✗ signature  No.
             → Sign.
✓ times      In time. (not trusted)
- replay     The service’s.

The service refuses this token with ERR_PAYLOAD_SIGNATURE, at the check
signature.
https://service-link.github.io/service-link/errors#err_payload_signature
`)
  })

  test('prints color only on request', () => {
    const text = formatChecks(checks, { columns: 80, hasColor: true })
    expect(text).toContain('\u001b[31m✗ signature')
  })
})
