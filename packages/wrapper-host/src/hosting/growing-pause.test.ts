import { expect, test } from 'vitest'
import { growingPause } from './growing-pause.ts'

test('each pause is twice as long as the last, and none longer than the longest', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 5000].map(attempt =>
    growingPause(attempt, { firstMs: 2000, longestMs: 30_000 }),
  )
  expect(pauses).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})
