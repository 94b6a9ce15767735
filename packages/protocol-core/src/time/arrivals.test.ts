import { expect, test } from 'vitest'
import { Arrivals } from './arrivals.ts'

const late = (waitedMs: number) => new RangeError(`${waitedMs}`)

test('gives each entry out once, in order, to those who came before it and after it', async () => {
  const arrivals = new Arrivals<{ id: number }>()
  const first = arrivals.next({}, late)
  arrivals.add({ id: 1 })
  arrivals.add({ id: 2 })
  expect(await first).toEqual({ id: 1 })
  expect(await arrivals.next({}, late)).toEqual({ id: 2 })
  expect(arrivals.all).toEqual([{ id: 1 }, { id: 2 }])
})

test('a wait that was given up takes no entry', async () => {
  const arrivals = new Arrivals<{ id: number }>()
  await expect(arrivals.next({ timeoutMs: 1 }, late)).rejects.toThrow('1')
  const aborted = new Error('aborted')
  const controller = new AbortController()
  const wait = arrivals.next({ signal: controller.signal }, late)
  controller.abort(aborted)
  await expect(wait).rejects.toBe(aborted)
  arrivals.add({ id: 3 })
  expect(await arrivals.next({}, late)).toEqual({ id: 3 })
})

test('the end rejects present and later waits, after the entries that are there', async () => {
  const arrivals = new Arrivals<{ id: number }>()
  const wait = arrivals.next({}, late)
  const end = new Error('closed')
  arrivals.end(end)
  await expect(wait).rejects.toBe(end)
  arrivals.add({ id: 4 })
  expect(await arrivals.next({}, late)).toEqual({ id: 4 })
  await expect(arrivals.next({}, late)).rejects.toBe(end)
})
