import { expect, test } from 'vitest'
import { createWrapper } from '../start/create-wrapper.ts'
import { OccurrenceLimit } from './recovery-limits.ts'

/** Records one at each time, and returns the times at which the limit was reached. */
function reachedAt(times: readonly number[]): readonly number[] {
  let time = 0
  const limit = new OccurrenceLimit({ count: 3, withinMs: 60_000 }, () => time)
  return times.filter(at => {
    time = at
    return limit.isReachedByOneMore()
  })
}

test.each<[string, readonly number[], readonly number[]]>([
  ['three within a minute are too many', [0, 10, 59_999], [59_999]],
  ['three over more than a minute are not', [0, 30_000, 60_000], []],
  ['the minute moves with them', [0, 50_000, 70_000, 100_000], [100_000]],
  ['they are forgotten once they were too many', [0, 1, 2, 3, 4, 5], [2, 5]],
])('%s', (_title, times, expected) => {
  expect(reachedAt(times)).toEqual(expected)
})

const fine = { count: 1, withinMs: 1 }

test.each([
  [{ crashes: { count: 0, withinMs: 1 } }, 'recovery.crashes.count'],
  [{ crashes: fine, hangs: { count: 1.5, withinMs: 1 } }, 'recovery.hangs.count'],
  [{ losses: { count: 3, withinMs: 0 } }, 'recovery.losses.withinMs'],
  [{ losses: { count: 3, withinMs: Number.POSITIVE_INFINITY } }, 'recovery.losses.withinMs'],
])('%j is refused', (recovery, option) => {
  expect(() => createWrapper({ recovery })).toThrow(expect.objectContaining({ code: 'ERR_OPTION', option }))
})

test('a valid limit is accepted', () => {
  expect(() => createWrapper({ recovery: { crashes: fine, hangs: fine, losses: fine } })).not.toThrow()
})
