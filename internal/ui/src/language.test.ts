import { expect, test } from 'vitest'
import { languageAsked, languageOf } from './language.ts'

test.each([
  [['nb-NO', 'en'], 'nb'],
  [['nn'], 'nb'],
  [['no'], 'nb'],
  [['de', 'nb'], 'nb'],
  [['en-US', 'nb'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
] as const)('a browser that prefers %j gets %s', (preferred, language) => {
  expect(languageOf(preferred)).toBe(language)
})

test.each([
  ['nb;q=0.9,en;q=0.8', 'nb'],
  ['en;q=0.1, nb-NO;q=0.9', 'nb'],
  ['nb; q=0, en', 'en'],
  ['*, nb;q=0.5', 'nb'],
  ['', 'en'],
  [null, 'en'],
] as const)('a request with Accept-Language %j gets %s', (header, language) => {
  expect(languageAsked(header)).toBe(language)
})
