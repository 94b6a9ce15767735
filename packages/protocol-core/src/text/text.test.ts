import { describe, expect, test } from 'vitest'
import { optionalText, requiredText, trimmedText } from './text-field.ts'
import { findTextProblem, maxTextLength, readFlag } from './text-rules.ts'

describe('readFlag', () => {
  test.each([
    ['true', true],
    [' TRUE ', true],
    ['1', true],
    ['False', false],
    ['0', false],
    ['yes', undefined],
    ['10', undefined],
  ])('%j is %s, with either meaning of empty text', (text, expected) => {
    expect(readFlag(text, true)).toBe(expected)
    expect(readFlag(text, false)).toBe(expected)
  })

  test.each([undefined, '', '  '])('%j has the meaning of empty text', text => {
    expect(readFlag(text, true)).toBe(true)
    expect(readFlag(text, false)).toBe(false)
  })
})

test('findTextProblem names the limit only above it', () => {
  expect(findTextProblem('x'.repeat(maxTextLength))).toBeUndefined()
  expect(findTextProblem('x'.repeat(maxTextLength + 1))).toBe('is longer than 4096 characters')
  expect(findTextProblem('𝒜'.repeat(maxTextLength))).toBeUndefined()
  expect(findTextProblem(`${'𝒜'.repeat(maxTextLength)}x`)).toBe('is longer than 4096 characters')
  expect(findTextProblem('𝒜å', 1)).toBe('is longer than 1 characters')
})

test.each(Object.entries({ optionalText, requiredText, trimmedText }))(
  '%s refuses the character U+0000, which no database keeps, and accepts every other',
  (_name, schema) => {
    expect(schema.safeParse('a\u0000b').error?.issues).toMatchObject([
      { message: 'holds the character U+0000' },
    ])
    expect(schema.parse('a\u0001b\u{10ffff}')).toBe('a\u0001b\u{10ffff}')
  },
)
