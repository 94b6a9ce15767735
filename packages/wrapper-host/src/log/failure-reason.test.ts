import { JsonError } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { kindOf } from './failure-reason.ts'

test.each<[unknown, string]>([
  [new JsonError('Kari Nordmann'), 'ERR_JSON'],
  [Object.assign(new Error('stat /home/kari'), { code: 'ELOOP' }), 'ELOOP'],
  [Object.assign(new TypeError('Kari'), { code: 'ERR_INVALID_ARG_TYPE' }), 'ERR_INVALID_ARG_TYPE'],
  [new RangeError('Kari Nordmann'), 'RangeError'],
  [Object.assign(new Error('x'), { name: 'KariNordmann' }), 'an error of its own'],
  [Object.assign(new Error('x'), { code: 'Kari Nordmann' }), 'Error'],
  ['Kari Nordmann', 'no error'],
  [undefined, 'no error'],
])('the kind of an error holds no free text: %#', (error, kind) => {
  expect(kindOf(error)).toBe(kind)
})
