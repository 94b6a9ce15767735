import { expect, test } from 'vitest'
import { createWrapper } from '../start/create-wrapper.ts'

const fine = { count: 1, withinMs: 1 }

test.each([
  [{ crashes: { count: 0, withinMs: 1 } }, 'recovery.crashes.count'],
  [{ crashes: fine, hangs: { count: 1.5, withinMs: 1 } }, 'recovery.hangs.count'],
  [{ losses: { count: 3, withinMs: 0 } }, 'recovery.losses.withinMs'],
  [{ losses: { count: 3, withinMs: Number.POSITIVE_INFINITY } }, 'recovery.losses.withinMs'],
])('%j is refused', (recovery, option) => {
  expect(() => createWrapper({ recovery })).toThrow(expect.objectContaining({ code: 'ERR_OPTION', option }))
})

test('one that can be is taken', () => {
  expect(() => createWrapper({ recovery: { crashes: fine, hangs: fine, losses: fine } })).not.toThrow()
})
