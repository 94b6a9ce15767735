import { describe, expect, test } from 'vitest'
import { identifiersOf, identityDoubt, isNorwegianNumber, maskIdentity } from './identity-number.ts'

describe('a doubt about an identity number', () => {
  test.each([
    ['', '', undefined],
    ['12857948368', '', undefined],
    ['128579 48368', '1979-05-12', undefined],
    ['12857948369', '', 'digits'],
    ['12857948368', '1979-05-13', 'birth'],
    ['99999999999', '', 'digits'],
    // Other countries: Sweden, Finland, Denmark.
    ['19790512-1234', '1979-05-12', undefined],
    ['131052-308T', '', undefined],
    ['010190-0001', '', undefined],
    ['unknown', '', 'form'],
    ['1234', '', 'form'],
  ])('%j with the birthday %j: %s', (text, dateOfBirth, doubt) => {
    expect(identityDoubt(text, dateOfBirth)).toBe(doubt)
  })

  test('a D-number is a number', () => {
    // The smallest control digits that fit a D-number of 1 January 1990.
    const found = Array.from({ length: 100_000 }, (_, end) => `410190${String(end).padStart(5, '0')}`).find(
      isNorwegianNumber,
    )
    expect(identityDoubt(found ?? '', '1990-01-01')).toBeUndefined()
    expect(identityDoubt(found ?? '', '1990-01-02')).toBe('birth')
  })
})

test('a CustomId that is an identity number is not shown as one, and is masked', () => {
  expect(identifiersOf({ customId: '12857948368' })).toEqual({ identityNumber: '12857948368' })
  expect(identifiersOf({ customId: '19790512-1234', ssn: '197905121234' })).toEqual({
    identityNumber: '197905121234',
  })
  expect(identifiersOf({ customId: 'p-1', ssn: '12857948368' })).toEqual({
    customId: 'p-1',
    identityNumber: '12857948368',
  })
  expect(maskIdentity('128579 48368')).toBe('128579 •••••')
  expect(maskIdentity('1234567')).not.toMatch(/\d/)
})
