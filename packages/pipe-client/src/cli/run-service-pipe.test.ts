import { defaultBrand } from '@service-link/protocol-core/brand'
import { Deadline } from '@service-link/protocol-core/time'
import { describe, expect, test } from 'vitest'
import { connectOptionsOf, deadlineAfter } from './run-service-pipe.ts'
import type { Target } from './target-options.ts'

const target: Target = {
  brand: defaultBrand,
  pid: undefined,
  timeoutMs: undefined,
  startIfNeeded: false,
  isClassic: false,
}
const starting: Target = { ...target, startIfNeeded: true }
const begun = new Deadline(10_000)

describe('the time-out of a command line', () => {
  test('covers connecting and the command together', () => {
    for (const given of [target, starting]) {
      const within = { ...given, timeoutMs: 60_000 }
      expect(connectOptionsOf(within)).toMatchObject({ timeoutMs: 60_000 })
      expect(deadlineAfter(within, begun)).toBe(begun)
    }
  })

  test('has the usual default', () => {
    expect(connectOptionsOf(target).timeoutMs).toBeUndefined()
    expect(deadlineAfter(target, begun)).toBe(begun)
  })

  test('is longer by default for a start, with the usual one after it', () => {
    expect(connectOptionsOf(starting).timeoutMs).toBeUndefined()
    expect(deadlineAfter(starting, begun)).toMatchObject({ timeoutMs: 35_000 })
  })
})
