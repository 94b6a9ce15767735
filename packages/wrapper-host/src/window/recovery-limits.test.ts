import { expect, test } from 'vitest'
import { OccurrenceLimit } from './recovery-limits.ts'
import { ResourceOwner } from './resource-owner.ts'

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

test('resources are closed in reverse order, once', async () => {
  const log: string[] = []
  const owner = new ResourceOwner()
  owner.use({ [Symbol.asyncDispose]: async () => void log.push('first') })
  owner.defer(async () => void log.push('second'))
  await Promise.all([owner[Symbol.asyncDispose](), owner[Symbol.asyncDispose]()])
  expect(log).toEqual(['second', 'first'])
})

test('a failing one does not stop the others, and is reported', async () => {
  const log: string[] = []
  const owner = new ResourceOwner()
  owner.defer(async () => void log.push('ended'))
  owner.defer(() => Promise.reject(new Error('no')))
  await expect(owner[Symbol.asyncDispose]()).rejects.toBeInstanceOf(AggregateError)
  expect(log).toEqual(['ended'])
})
