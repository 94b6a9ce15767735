import { normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
import { describe, expect, test } from 'vitest'
import { identityKeyOf } from './identity-key.ts'

describe('[5.1-consumer] a contact is found', () => {
  test('by its ssn, whatever its CustomId is', () => {
    const contact = { custom_id: '03917246181', ssn: '128579 48392', date_of_birth: '1972-11-03' }
    expect(identityKeyOf(contact)).toBe('12857948392')
    expect(identityKeyOf({ ...contact, ssn: 'unknown' })).toBeNull()
  })

  test.each([
    ['12857948392', '1979-05-12'],
    ['120579 12345', '1979-05-12'],
    ['52057912345', '1979-05-12'],
    ['19790512-1234', '1979-05-12'],
    ['790512-1234', '1979-05-12'],
    ['790572-1234', '1979-05-12'],
    ['120579-1234', '1979-05-12'],
    ['131052-308T', '1952-10-13'],
    ['02070803628', '1902-07-08'],
    ['47905121234', '1979-05-12'],
  ])('by a CustomId %s that holds its date of birth %s', (custom_id, date_of_birth) => {
    expect(identityKeyOf({ custom_id, date_of_birth })).toBe(normalizeIdentityNumber(custom_id))
  })

  test.each([
    ['12857948392', '1980-05-12'],
    ['12857948392', undefined],
    ['120579', '1979-05-12'],
    ['00012057912345', '1979-05-12'],
    ['99120579123', '1979-05-12'],
    ['7c0f3a0e-51d2-4c8e-9d6f-2a1f0f8f6b11', '1991-02-28'],
    ['1001', '1991-02-28'],
  ])('not by a CustomId %s of somebody born %s: it may be any identifier', (custom_id, date_of_birth) => {
    expect(identityKeyOf({ custom_id, date_of_birth: date_of_birth ?? null })).toBeNull()
  })
})
