import { handOffOutcomeSchema, launchSchema } from '@service-link/protocol-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeLaunchId, readAnswer } from './hand-off.ts'

const idSchema = launchSchema.shape.id

test('a launch id is a UUID of version 8 that a wrapper accepts', () => {
  for (let round = 0; round < 1000; round++) {
    const id = makeLaunchId()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(idSchema.safeParse(id).success).toBe(true)
  }
})

test('it holds time and process id, so processes of one millisecond differ even with equal random parts', () => {
  const id = makeLaunchId(0x0123456789ab, 0x00c0ffee)
  expect(id).toMatch(/^01234567-89ab-8...-....-00c0ffee....$/)
})

test.each([
  [0, 1],
  [2 ** 48 - 1, 2 ** 32 - 1],
])('its extreme values, %i ms and process %i, are UUIDs too', (nowMs, pid) => {
  expect(idSchema.safeParse(makeLaunchId(nowMs, pid)).success).toBe(true)
})

test('many of one process in one millisecond differ', () => {
  const ids = Array.from({ length: 1000 }, () => makeLaunchId(0, 1))
  expect(new Set(ids).size).toBe(ids.length)
})

test('a second launch reads the answers that the schema reads', () => {
  const any = fc.jsonValue()
  const text = fc.oneof({ weight: 9, arbitrary: fc.string() }, any)
  const status = fc.constantFrom('accepted', 'completed', 'refused', 'Accepted')
  const pid = fc.oneof({ weight: 5, arbitrary: fc.nat() }, fc.double(), fc.constantFrom(2 ** 53, '1'))
  const waits = fc.constantFrom(true, false, true, false, 'true')
  const members = { status, pid, waits, notice: text, code: text, message: text, more: any }
  const answer = fc.record(members, { requiredKeys: ['status', 'pid', 'code'] })
  fc.assert(
    fc.property(fc.oneof(any, answer), value => {
      expect(readAnswer(value)).toEqual(handOffOutcomeSchema.safeParse(value).data)
    }),
  )
})
