import { expect, test } from 'vitest'
import { readConnectTimeout } from './read-connect-timeout.ts'

test.each([
  ['', 2],
  ['?sslmode=verify-full&connect_timeout=30', 30],
  ['?connect_timeout=600', 600],
  ['?connect_timeout=0', undefined],
  ['?connect_timeout=601', undefined],
  ['?connect_timeout=-1', undefined],
  ['?connect_timeout=1.5', undefined],
  ['?connect_timeout=', undefined],
])('an address with %j means %s seconds', (query, seconds) => {
  expect(readConnectTimeout(`postgres://service@localhost/service${query}`)).toBe(seconds)
})
