import { expect, test } from 'vitest'
import { languageOf } from './language.ts'

test.each([
  [['nb-NO', 'en'], 'nb'],
  [['nn'], 'nb'],
  [['no'], 'nb'],
  [['de', 'nb'], 'nb'],
  [['en-US', 'nb'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
  [['nb;q=0.9', 'en;q=0.8'], 'nb'],
] as const)('a browser that prefers %j gets %s', (preferred, language) => {
  expect(languageOf(preferred)).toBe(language)
})
