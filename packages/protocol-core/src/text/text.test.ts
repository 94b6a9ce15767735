import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { keepable, optionalText, requiredId, trimmedText } from '../schema/text-field.ts'
import { findTextProblem, maxTextLength, readFlag, trimId, trimText } from './text-rules.ts'

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

const unseen = ['\u200b', '\u00ad', '\ufe0f', '\u3164', '\u034f', '\u{e0001}', '\u{e0100}', '\u061c']

test.each(unseen)('%j at the ends of an id is no part of it, and alone no text', character => {
  expect(trimId(` ${character}a${character}b${character} ${character}`)).toBe(`a${character}b`)
  expect(trimId(character)).toBe('')
  expect(trimText(` ${character} ${character}`)).toBe('')
  expect(trimText(` ${character}a `)).toBe(`${character}a`)
  expect(optionalText.parse(character)).toBeUndefined()
  expect(requiredId.safeParse(character).error?.issues).toMatchObject([{ message: 'is empty' }])
})

test.each(['𝒜', '\ud835', '\udc9c', '\udc9c\ud835'])('%j stays in an id', text => {
  expect(trimId(`\u200b${text}\u{e0001}`)).toBe(text)
})

test('findTextProblem names the limit only above it', () => {
  expect(findTextProblem('x'.repeat(maxTextLength))).toBeUndefined()
  expect(findTextProblem('x'.repeat(maxTextLength + 1))).toBe('is longer than 4096 characters')
  expect(findTextProblem('𝒜'.repeat(maxTextLength))).toBeUndefined()
  expect(findTextProblem(`${'𝒜'.repeat(maxTextLength)}x`)).toBe('is longer than 4096 characters')
  expect(findTextProblem('𝒜å', 1)).toBe('is longer than 1 characters')
})

test.each(Object.entries({ optionalText, requiredId, trimmedText }))(
  '%s refuses the character U+0000, which no database keeps, and accepts every other',
  (_name, schema) => {
    expect(schema.safeParse('a\u0000b').error?.issues).toMatchObject([
      { message: 'holds the character U+0000' },
    ])
    expect(schema.parse('a\u0001b\u{10ffff}')).toBe('a\u0001b\u{10ffff}')
  },
)

test('keepable is the same rule for a schema of another program', () => {
  const schema = z.string().check(z.refine(...keepable))
  expect(schema.safeParse('a\u0000b').error?.issues).toMatchObject([
    { message: 'holds the character U+0000' },
  ])
  expect(schema.parse(' å ')).toBe(' å ')
})
