import { describe, expect, test } from 'vitest'
import {
  comparableSsn,
  contradicts,
  hasSameName,
  normalizeIdentityNumber,
  type PersonTraits,
} from './same-person.ts'

describe('an identity number', () => {
  test.each([
    ['12857948392', '12857948392'],
    ['128579 48392', '12857948392'],
    [' 128579\u00a048392 ', '12857948392'],
    ['１２８５７９４８３９２', '12857948392'],
    ['19790512-1234', '197905121234'],
    ['790512‐1234', '7905121234'],
    ['120579–1234', '1205791234'],
    ['131052-308t', '131052308T'],
    ['131052+308T', '131052+308T'],
    ['93.05.18/223.61', '93051822361'],
  ])('%j is compared as %s', (text, key) => {
    expect(normalizeIdentityNumber(text)).toBe(key)
  })

  test.each([
    '',
    'unknown',
    '-',
    '12345',
    'A1B2C3D4E5',
    '1234567%',
    '123456789_',
    "1' or '1'='1",
    '1'.repeat(33),
    `${' '.repeat(10_000)}12857948392`,
  ])('%j is no number and finds no person', text => {
    expect(normalizeIdentityNumber(text)).toBeUndefined()
  })
})

test.each([
  ['128579 48392', '12857948392'],
  ['1234', '1234'],
  ['unknown', undefined],
  ['-', undefined],
  ['', undefined],
])('an ssn %j is compared as %s', (ssn, comparable) => {
  expect(comparableSsn(ssn)).toBe(comparable)
})

const cases: readonly (readonly [boolean, string, PersonTraits, PersonTraits])[] = [
  [false, 'nothing is known', { ssn: '12857948392', dateOfBirth: '1979-05-12' }, {}],
  [false, 'nothing is sent', {}, { ssn: '12857948392', dateOfBirth: '1979-05-12' }],
  [
    false,
    'the known values are empty',
    { ssn: '12857948392', dateOfBirth: '1979-05-12' },
    { ssn: null, dateOfBirth: '' },
  ],
  [false, 'the number is written in another way', { ssn: '128579-48392' }, { ssn: '128579 48392' }],
  [false, 'a number is none', { ssn: 'unknown' }, { ssn: '12857948392' }],
  [false, 'the short numbers are the same', { ssn: '1234' }, { ssn: '1234' }],
  [false, 'only one has a name', { firstname: 'Anna', lastname: 'Berg' }, { firstname: ' ' }],
  [false, 'each has another half of the name', { firstname: 'Anna' }, { lastname: 'Berg' }],
  [
    false,
    'the name is written in another way',
    { firstname: 'Anna  Åse', lastname: 'STRAẞE' },
    { firstname: 'anna\u00a0A\u030ase', lastname: 'Strasse ' },
  ],
  [true, 'the first names differ', { firstname: 'Anna' }, { firstname: 'Bo', lastname: 'Berg' }],
  [true, 'the last names differ', { firstname: 'Anna', lastname: 'Berg' }, { lastname: 'Dahl' }],
  [true, 'an accent differs', { lastname: 'Ås' }, { lastname: 'As' }],
  [
    true,
    'the names differ though the number is one',
    { firstname: 'Anna', ssn: '12857948392' },
    { firstname: 'Bo', ssn: '12857948392' },
  ],
  [true, 'the numbers differ', { ssn: '12857948392' }, { ssn: '12857948393' }],
  [true, 'the short numbers differ', { ssn: '1234' }, { ssn: '1235' }],
  [true, 'the centuries differ', { ssn: '131052-308T' }, { ssn: '131052+308T' }],
  [true, 'the dates of birth differ', { dateOfBirth: '1979-05-12' }, { dateOfBirth: '1979-12-05' }],
  [
    true,
    'the dates differ though the number is one',
    { ssn: '12857948392', dateOfBirth: '1979-05-12' },
    { ssn: '128579 48392', dateOfBirth: '1997-05-12' },
  ],
]

test.each(cases)('%s when %s', (expected, _name, sent, known) => {
  expect(contradicts(sent, known)).toBe(expected)
  expect(contradicts(known, sent)).toBe(expected)
})

test.each<[boolean, string, PersonTraits]>([
  [true, 'the same', { firstname: 'ANNA', lastname: 'Berg' }],
  [false, 'another', { firstname: 'Anna', lastname: 'Dahl' }],
  [false, 'half', { firstname: 'Anna' }],
  [false, 'none', {}],
])('%s when the name is %s', (expected, _name, known) => {
  const sent = { firstname: 'Anna', lastname: 'Berg' }
  expect(hasSameName(sent, known)).toBe(expected)
  expect(hasSameName(known, sent)).toBe(expected)
})
