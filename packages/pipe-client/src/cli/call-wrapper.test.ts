import { defaultBrand } from '@service-link/protocol-core/brand'
import { describe, expect, test } from 'vitest'
import { boundsAfter, connectOptionsOf, leftMs } from './call-wrapper.ts'
import type { Target } from './command-line.ts'

const target: Target = {
  brand: defaultBrand,
  pid: undefined,
  timeoutMs: undefined,
  startIfNeeded: false,
  isClassic: false,
}
const starting: Target = { ...target, startIfNeeded: true }
const tenSecondsAgo = () => performance.now() - 10_000

describe('the time that a command line gives', () => {
  test('is given on, and what connecting took of it is gone', () => {
    for (const given of [target, starting]) {
      const within = { ...given, timeoutMs: 60_000 }
      expect(connectOptionsOf(within)).toMatchObject({ timeoutMs: 60_000 })
      expect(leftMs(boundsAfter(within, tenSecondsAgo()))).toBeLessThanOrEqual(50_000)
    }
    expect(leftMs(boundsAfter({ ...target, timeoutMs: 5_000 }, tenSecondsAgo()))).toBe(0)
  })

  test('is the usual one where it gives none', () => {
    expect(connectOptionsOf(target)).not.toHaveProperty('timeoutMs')
    expect(leftMs(boundsAfter(target, tenSecondsAgo()))).toBeLessThanOrEqual(25_000)
  })

  test('is longer for a start where it gives none, and all of the usual one after it', () => {
    expect(connectOptionsOf(starting)).not.toHaveProperty('timeoutMs')
    expect(boundsAfter(starting, tenSecondsAgo())).toMatchObject({ timeoutMs: 35_000, spentMs: 0 })
  })
})
