import { describe, expect, test } from 'vitest'
import { identityKeyOf } from './person-row.ts'

describe('[5.1-consumer] a contact is found', () => {
  test('by its ssn, whatever its CustomId is', () => {
    const contact = { custom_id: '03917246105', ssn: '128579 48368', date_of_birth: '1972-11-03' }
    expect(identityKeyOf(contact)).toBe('12857948368')
    expect(identityKeyOf({ ...contact, ssn: 'unknown' })).toBeNull()
  })

  test.each(['12857948368', '010190-0001', '19790512-1234'])(
    'not by a CustomId %s, also if it begins with the date of birth: it may be the number of somebody else',
    custom_id => {
      for (const date_of_birth of ['1990-01-01', '1979-05-12', null])
        expect(identityKeyOf({ custom_id, date_of_birth })).toBeNull()
    },
  )
})
