import { expect, test } from 'vitest'
import { isThisMachine } from './this-machine.ts'

test.each([
  ['localhost', true, true],
  ['127.0.0.1', true, true],
  ['127.1.2.3', true, true],
  ['[::1]', true, true],
  ['app.localhost', false, true],
  ['localhost.example', false, false],
  ['127.example', false, false],
  ['128.0.0.1', false, false],
  ['[::2]', false, false],
])('%s is this machine to Node: %s, to a browser: %s', (hostname, toNode, toBrowser) => {
  expect([isThisMachine(hostname), isThisMachine(hostname, 'browser')]).toEqual([toNode, toBrowser])
})
