import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { timeLimit } from './time-limit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const over = () => new Error('Over.')

test('is over after its time', () => {
  using limit = timeLimit(20, over)
  vi.advanceTimersByTime(19)
  expect(limit.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(limit.signal.reason).toEqual(over())
})

test.each([2 ** 31, Number.POSITIVE_INFINITY])('of %d ms is not over at once', timeoutMs => {
  using limit = timeLimit(timeoutMs, over)
  vi.advanceTimersByTime(60_000)
  expect(limit.signal.aborted).toBe(false)
})
