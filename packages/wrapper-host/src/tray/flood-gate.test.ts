import { expect, test } from 'vitest'
import { FloodGate } from './flood-gate.ts'

test('as much as is allowed within a second is no flood, and the next second begins anew', () => {
  const gate = new FloodGate(10)
  expect([gate.take(6, 5000), gate.take(4, 5900), gate.take(10, 6000)]).toEqual([false, false, false])
})

test('more than that is', () => {
  const gate = new FloodGate(10)
  expect([gate.take(6, 5000), gate.take(5, 5900)]).toEqual([false, true])
})
