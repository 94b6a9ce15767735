import { expect, test } from 'vitest'
import { createRefusedCounts } from './refused-counts.ts'

function start(maxCallers = 100) {
  const clock = { ms: 0 }
  return { clock, counts: createRefusedCounts({ windowMs: 1000, now: () => clock.ms, maxCallers }) }
}

test.each([
  ['one IPv4 address', '192.0.2.1', '192.0.2.1', true],
  ['neighbours in IPv4', '192.0.2.1', '192.0.2.2', false],
  ['one IPv6 network of 64 bits', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['neighbouring IPv6 networks', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['IPv4 and the same in IPv6', '192.0.2.1', '::ffff:192.0.2.1', true],
])('%s count as one: %s, %s: %s', (_name, first, second, isOne) => {
  const { counts } = start()
  counts.add(first)
  expect(counts.of(second)).toBe(isOne ? 1 : 0)
})

test('a new window begins at none', () => {
  const { clock, counts } = start()
  counts.add('192.0.2.1')
  clock.ms = 999
  expect([counts.of('192.0.2.1'), counts.secondsLeft]).toEqual([1, 1])
  clock.ms = 1000
  expect(counts.of('192.0.2.1')).toBe(0)
})

test('of too many callers the one is forgotten that was refused the longest ago', () => {
  const { counts } = start(2)
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.3']) counts.add(address)
  expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(counts.of)).toEqual([2, 0, 1])
})
