import { expect, test } from 'vitest'
import { limitKey } from './limit-key.ts'

test.each([
  ['addresses of one IPv6 network', '2001:db8:0:7::1', '2001:db8:0:7:ffff:ffff:ffff:fffe', true],
  ['addresses of two IPv6 networks', '2001:db8:0:7::1', '2001:db8:0:8::1', false],
  ['two IPv4 addresses', '198.51.100.1', '198.51.100.2', false],
  ['IPv4 in IPv6 and the same as IPv4', '::ffff:198.51.100.1', '198.51.100.1', true],
])('%s: %s and %s', (_name, one, other, isSame) => {
  expect(limitKey(one) === limitKey(other)).toBe(isSame)
})
