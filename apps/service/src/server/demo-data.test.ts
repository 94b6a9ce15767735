import { expect, test } from 'vitest'
import { demoAccountsUse } from './demo-data.ts'

test.each([
  ['this machine', undefined, undefined, { areMade: true, isRisky: false }],
  ['https on this machine', undefined, 'https://localhost:4280', { areMade: true, isRisky: false }],
  ['an IPv6 address of this machine', undefined, 'https://[::1]:4280', { areMade: true, isRisky: false }],
  ['http on another host', undefined, 'http://service.example', { areMade: true, isRisky: true }],
  ['https on another host', undefined, 'https://service.example', { areMade: false, isRisky: false }],
  [
    'a host that begins as this machine',
    undefined,
    'https://localhost.example',
    { areMade: false, isRisky: false },
  ],
  ['another host, wanted', '1', 'https://service.example', { areMade: true, isRisky: true }],
  ['this machine, not wanted', '0', undefined, { areMade: false, isRisky: false }],
] as const)('accounts with published passwords, at %s', (_name, setting, publicUrl, use) => {
  expect(demoAccountsUse(setting, publicUrl)).toEqual(use)
})
