import { describe, expect, test } from 'vitest'
import type { ExplainedCheck } from '../../explain/explained-check.ts'
import { formatChecks } from './format-checks.ts'
import { withProgress } from './with-progress.ts'
import { wrapText } from './wrap-text.ts'

describe('wrapText', () => {
  test('breaks at spaces, and indents what follows', () => {
    expect(wrapText('one two three four five six', 24, '    ')).toBe('one two three four\n    five six')
  })

  test('a word that is longer than a line stays whole', () => {
    expect(wrapText(`a ${'x'.repeat(50)} b`, 24, '')).toBe(`a\n${'x'.repeat(50)}\nb`)
  })
})

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

  test('a mark, the name, what was found, what to change, and what it comes to', () => {
    expect(formatChecks(checks, { columns: 80, hasColor: false })).toBe(`! key        Fits.
             → Send another kid.
✗ signature  No.
             → Sign.
✓ times      In time. (not trusted)
- replay     The service’s.

The service refuses this token with ERR_PAYLOAD_SIGNATURE, at the check
signature.
`)
  })

  test('color only where it is asked for', () => {
    const text = formatChecks(checks, { columns: 80, hasColor: true })
    expect(text).toContain('\u001b[31m✗ signature')
  })
})

describe('withProgress', () => {
  test('work that ends at once is not spoken of', async () => {
    const told: string[] = []
    const terminal = { tell: (text: string) => told.push(text), isWatched: true }
    expect(await withProgress('Working', terminal, async () => 7)).toBe(7)
    await expect(withProgress('Working', terminal, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(told).toEqual([])
  })

  test.each([
    [false, 'Working …\n'],
    [true, '\rWorking … 1 s'],
  ])('work that takes longer is, also in a file (terminal: %s)', async (isWatched, first) => {
    const told: string[] = []
    await withProgress(
      'Working',
      { tell: text => told.push(text), isWatched },
      // Ends when it was spoken of.
      () =>
        new Promise<void>(resolve => {
          const timer = setInterval(() => {
            if (told.length === 0) return
            clearInterval(timer)
            resolve()
          }, 10)
        }),
    )
    expect(told[0]).toBe(first)
    expect(told.at(-1)).toBe(isWatched ? '\r\u001b[K' : first)
  })
})
