import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SharedTurns } from './pipe-parts.ts'

test('one piece of work runs per turn of the loop, in order; abandoned work does not run', async () => {
  const turns = new SharedTurns()
  const done: string[] = []
  turns.add(() => {
    done.push('a')
    turns.add(() => done.push('d'))
  })
  const giveUp = turns.add(() => done.push('b'))
  turns.add(() => done.push('c'))
  giveUp()
  expect(done).toEqual([])
  const seen: number[] = []
  while (done.length < 3) {
    await setImmediate()
    seen.push(done.length)
  }
  expect(done).toEqual(['a', 'c', 'd'])
  for (const [index, count] of seen.entries()) expect(count - (seen[index - 1] ?? 0)).toBeLessThanOrEqual(1)
  // Work that arrives after an empty queue gets its turn too.
  turns.add(() => done.push('e'))
  while (done.length < 4) await setImmediate()
})
