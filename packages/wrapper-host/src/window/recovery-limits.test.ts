import { expect, test } from 'vitest'
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
