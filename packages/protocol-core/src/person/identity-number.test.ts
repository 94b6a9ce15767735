import { describe, expect, test } from 'vitest'
import {
  areWrittenAlike,
  comparableSsn,
  compareIdentityNumbers,
  normalizeIdentityNumber,
} from './identity-number.ts'

describe('an identity number', () => {
  test.each([
    ['12857948392', '12857948392'],
    ['128579 48392', '12857948392'],
    [' 128579\u00a048392 ', '12857948392'],
    ['128579\u200b48392', '12857948392'],
    ['１２８５７９４８３９２', '12857948392'],
    ['19790512-1234', '7905121234'],
    ['790512‐1234', '7905121234'],
    ['790512−1234', '7905121234'],
    ['790512+1234', '7905121234'],
    ['19790572-1234', '7905721234'],
    ['197913121234', '197913121234'],
    ['197905321234', '197905321234'],
    ['120579–1234', '1205791234'],
    ['131052-308t', '131052308T'],
    ['131052+308T', '131052308T'],
    ['131052A308T', '131052308T'],
    ['010205A1231', '0102051231'],
    ['19801224-T123', '801224T123'],
    ['93.05.18/223.61', '93051822361'],
  ])('%j is found as %s', (text, key) => {
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

const today = new Date('2026-11-26')

/** Numbers in one row are one number; those of different rows are different. */
const numbers: readonly (readonly string[])[] = [
  // Sweden
  ['19801224-1234', '801224-1234', '198012241234', '8012241234', '19801224 1234', ' 801224–1234 '],
  ['18801224-1234', '801224+1234', '188012241234'],
  ['19801284-1234', '801284-1234', '198012841234', '8012841234'],
  ['19801224-T123', '801224-T123', '19801224T123', '801224t123'],
  ['19801224-1235', '801224-1235'],
  ['20150412-2389', '201504122389'],
  ['19150412-2389', '150412+2389', '19150412+2389'],
  // Denmark, Iceland
  ['120579-1234', '1205791234', '120579 1234'],
  ['020304-1234', '0203041234'],
  // Finland: each sign between is a person of its own.
  ['131052-308T', '131052-308t'],
  ...[...'+YXWVUABCDEF'].map(sign => [`131052${sign}308T`, `131052${sign.toLowerCase()}308t`]),
  // Norway
  ['12857948392', '128579 48392', '128579-48392', '12 85 79 483 92'],
]

test.each(numbers.map((spellings, row) => ({ spellings, row })))(
  '$spellings are one number, and no other',
  ({ spellings, row }) => {
    for (const ssn of spellings) {
      for (const other of spellings)
        expect(compareIdentityNumbers({ ssn }, { ssn: other }, today)).toBe('same')
      for (const other of numbers.filter((_, index) => index !== row).flat())
        expect([ssn, other, compareIdentityNumbers({ ssn }, { ssn: other }, today)]).toEqual([
          ssn,
          other,
          'different',
        ])
    }
  },
)

test.each([
  ['unknown', '1504122389', undefined, '201504122389'],
  ['unknown', '1504122389', undefined, '191504122389'],
  ['unknown', '1504122389', '1971-01-01', '201504122389'],
  ['different', '1504122389', undefined, '181504122389'],
  ['same', '8012241234', undefined, '198012241234'],
  ['different', '8012241234', undefined, '188012241234'],
  ['same', '1504122389', '2015-04-12', '201504122389'],
  ['same', '1504122389', '1915-04-12', '191504122389'],
  ['different', '1504122389', '1915-04-12', '201504122389'],
  ['unknown', '150412-2389', undefined, '20150412-2389'],
  ['unknown', '150412-2389', undefined, '19150412-2389'],
  ['same', '150412-2389', '1915-04-12', '19150412-2389'],
  ['unknown', '261231-1234', undefined, '19261231-1234'],
  ['same', '261231-1234', '1926-12-31', '19261231-1234'],
  ['different', '261231-1234', '1931-12-26', '19261231-1234'],
  ['same', '261231+1234', undefined, '19261231-1234'],
  // Denmark
  ['unknown', '010203-1234', undefined, '20010203-1234'],
  ['different', '010203-1234', '1903-02-01', '20010203-1234'],
  ['same', '010203-1234', '2001-02-03', '20010203-1234'],
  ['different', '010203-1234', '2001-02-03', '19010203-1234'],
  ['different', '311299-1234', '1999-12-31', '20311299-1234'],
  // Interim numbers of Sweden
  ['unknown', '150412-T238', undefined, '20150412-T238'],
  ['same', '150412-T238', '2015-04-12', '20150412T238'],
  // Finland without its sign
  ['unknown', '010205123X', undefined, '010205A123X'],
  ['unknown', '010205123X', undefined, '010205-123X'],
  ['same', '010205123X', '2005-02-01', '010205A123X'],
  ['different', '010205123X', '2005-02-01', '010205-123X'],
  ['unknown', '010205123X', '2005-02-01', '010205B123X'],
  ['same', '131052308T', undefined, '131052-308T'],
  ['unknown', '131052308T', undefined, '131052Y308T'],
  ['different', '131052308T', undefined, '131052A308T'],
  ['same', '0102051380', '2005-02-01', '010205A1380'],
  ['different', '150412-2389', '1915-04-12', '20150412-2389'],
  ['different', '801224-1234', '1880-12-24', '19801224-1234'],
  ['unknown', '801224-1234', '1971-01-01', '19801224-1234'],
  ['same', '801224-1234', '1980-12-24', '19801224-1234'],
])(
  '%s: the short number %s of a person born %s and the long number %s',
  (expected, ssn, dateOfBirth, long) => {
    expect(compareIdentityNumbers({ ssn, dateOfBirth }, { ssn: long }, today)).toBe(expected)
    expect(compareIdentityNumbers({ ssn: long }, { ssn, dateOfBirth }, today)).toBe(expected)
  },
)

test.each([
  ['same', ['150412+2389', '1915-04-12'], ['1504122389', '1915-04-12']],
  ['unknown', ['150412+2389', undefined], ['1504122389', undefined]],
  ['unknown', ['010203-1234', undefined], ['0102031234', undefined]],
  ['unknown', ['010203-1234', '2001-02-03'], ['0102031234', undefined]],
  ['different', ['010203-1234', '2001-02-03'], ['0102031234', '1903-02-01']],
  ['same', ['010203-1234', '1903-02-01'], ['0102031234', '1903-02-01']],
  // The check digit is no Swede's.
  ['same', ['010203-1235', undefined], ['0102031235', '1903-02-01']],
] as const)('%s: %j and %j', (expected, [ssn, dateOfBirth], [other, born]) => {
  const [a, b] = [
    { ssn, dateOfBirth },
    { ssn: other, dateOfBirth: born },
  ]
  expect(compareIdentityNumbers(a, b, today)).toBe(expected)
  expect(compareIdentityNumbers(b, a, today)).toBe(expected)
})

test.each([
  [true, '010203-1234', '0102031234'],
  [false, '010203-1234', '20010203-1234'],
  [false, '010205-123X', '010205123X'],
  [false, 'unknown', 'unknown'],
])('%s: %s and %s are written alike', (expected, ssn, other) => {
  expect(areWrittenAlike(ssn, other)).toBe(expected)
})

test.each([
  ['', ''],
  ['unknown', 'unknown'],
  [null, undefined],
  ['801224-1234', 'unknown'],
])('the texts %j and %j are not compared', (ssn, other) => {
  expect(compareIdentityNumbers({ ssn }, { ssn: other })).toBeUndefined()
})

test('short texts with a digit are compared as they are', () => {
  expect(compareIdentityNumbers({ ssn: '1234' }, { ssn: '1234' })).toBe('same')
  expect(compareIdentityNumbers({ ssn: '1234' }, { ssn: '1235' })).toBe('different')
})
