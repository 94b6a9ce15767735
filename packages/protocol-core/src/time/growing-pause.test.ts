import { expect, test } from 'vitest'
import { growingPause } from './deadline.ts'

const bounds = { firstMs: 2000, longestMs: 30_000 }

test('each pause is twice the last, up to the longest', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 5000].map(attempt =>
    growingPause(attempt, { ...bounds, random: () => 1 }),
  )
  expect(pauses).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

test('chance removes up to half of it', () => {
  const pauses = [0, 0.5, 1].map(chance => growingPause(5000, { ...bounds, random: () => chance }))
  expect(pauses).toEqual([15_000, 22_500, 30_000])
})

test('two desktops wait for different times', () => {
  const pauses = Array.from({ length: 20 }, () => growingPause(5, bounds))
  expect(new Set(pauses).size).toBeGreaterThan(1)
})
