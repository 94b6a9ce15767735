import { expect, test } from 'vitest'
import { mapAtMost } from './map-at-most.ts'

test.each([1, 3, 100])('%i at a time, and no more', async count => {
  let now = 0
  let most = 0
  const items = Array.from({ length: 10 }, (_, index) => index)
  const mapped = await mapAtMost(count, items, async item => {
    most = Math.max(most, ++now)
    for (let turn = 10 - item; turn > 0; turn--) await new Promise(done => setImmediate(done))
    now--
    return item * 2
  })
  expect(mapped).toEqual(items.map(item => item * 2))
  expect(most).toBe(Math.min(count, items.length))
})

test('a failure is told', async () => {
  const map = async (item: number) => {
    if (item === 2) throw new Error('Two.')
  }
  await expect(mapAtMost(1, [1, 2, 3], map)).rejects.toThrow('Two.')
  expect(await mapAtMost(4, [], map)).toEqual([])
})
