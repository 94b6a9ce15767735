import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gather } from './known-visits.ts'

/** Work that waits until it is told to go on, and keeps what it was called with. */
function stoppedWork() {
  const calls: (readonly number[])[] = []
  const waiting: (() => void)[] = []
  return {
    calls,
    goOn: () => waiting.shift()?.(),
    work: async (items: readonly number[]) => {
      calls.push(items)
      await new Promise<void>(resolve => waiting.push(resolve))
      if (items.includes(0)) throw new RangeError('zero')
      return items.map(item => item * 2)
    },
  }
}

test('calls of one turn are one call, and later ones wait while it runs', async () => {
  const { calls, goOn, work } = stoppedWork()
  const call = gather(work, 2)
  const results = [1, 2, 3].map(call)
  await turn()
  await turn()
  results.push(call(4))
  await turn()
  expect(calls).toEqual([[1, 2]])
  goOn()
  expect(await Promise.all(results.slice(0, 2))).toEqual([2, 4])
  await turn()
  expect(calls).toEqual([
    [1, 2],
    [3, 4],
  ])
  goOn()
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8])
})

test('a failure is that of all joined calls, and of no later one', async () => {
  const { goOn, work } = stoppedWork()
  const call = gather(work, 10)
  const failing = Promise.allSettled([call(0), call(1)])
  await turn()
  await turn()
  goOn()
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const later = call(5)
  await turn()
  await turn()
  goOn()
  expect(await later).toBe(10)
})
