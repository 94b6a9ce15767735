import { expect, test } from 'vitest'
import { describeMoment, describeSpan } from './describe-claims.ts'

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [59.9, '59 seconds'],
  [60, '1 minute'],
  [150, '2 minutes'],
  [3600, '1 hour'],
  [19_800, '5 hours'],
  [36_060, '10 hours'],
  [90_000, '1 day'],
  [864_000_000, '10000 days'],
])('%d s: %s', (seconds, text) => {
  expect(describeSpan(seconds)).toBe(text)
})

test.each([
  [0, '2026-06-01T12:00:00Z, now'],
  [-180, '2026-06-01T11:57:00Z, 3 minutes ago'],
  [120, '2026-06-01T12:02:00Z, in 2 minutes'],
  [Number.NEGATIVE_INFINITY, 'a time beyond the year 9999'],
  [1e15, 'a time beyond the year 9999'],
])('%d s from now: %s', (offset, text) => {
  const now = new Date('2026-06-01T12:00:00Z')
  expect(describeMoment(now.getTime() / 1000 + offset, now)).toBe(text)
})
