import { wrapperRecordSchema } from '@service-link/protocol-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toWrapperRecord } from './wrapper-record.ts'

const secret = fc.constantFrom('0f'.repeat(32), '0F'.repeat(32), '0f'.repeat(31), `${'0f'.repeat(32)}\n`)
const any = fc.jsonValue()
const key = fc.oneof(any, fc.record({ ask: fc.oneof(any, secret), answer: secret }, { requiredKeys: [] }))
const text = fc.oneof({ weight: 9, arbitrary: fc.string() }, any)
const pid = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53, '1'))
const record = fc.record(
  { pid, browserPid: pid, desktop: text, version: text, address: text, key, more: any },
  { requiredKeys: ['pid', 'desktop', 'version', 'address', 'key'] },
)
const sound = {
  pid: 7,
  desktop: '',
  version: '',
  address: '',
  key: { ask: 'a'.repeat(64), answer: '0'.repeat(64) },
}

test('a second launch reads the records that the schema reads', () => {
  expect(toWrapperRecord(sound)).toEqual(sound)
  const changed = record.chain(other =>
    fc.subarray(Object.keys(other)).map(names => names.map(name => [name, Reflect.get(other, name)])),
  )
  const samples = fc.oneof(
    any,
    record,
    changed.map(members => ({ ...sound, ...Object.fromEntries(members) })),
  )
  fc.assert(
    fc.property(samples, value => {
      expect(toWrapperRecord(value)).toEqual(wrapperRecordSchema.safeParse(value).data)
    }),
  )
})
