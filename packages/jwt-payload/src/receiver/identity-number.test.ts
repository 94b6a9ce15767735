import { describe, expect, test } from 'vitest'
import { comparableSsn, normalizeIdentityNumber } from './identity-number.ts'

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
  ])('%j is none, and finds nobody', text => {
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
