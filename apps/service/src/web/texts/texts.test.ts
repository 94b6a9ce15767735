import { expect, test } from 'vitest'
import en from './en.json' with { type: 'json' }
import { languageOf } from './language.ts'
import nb from './nb.json' with { type: 'json' }
import { errorText, startTexts, t, textsIn } from './texts.ts'

const marksOf = (text: string) => (text.match(/\{\{[^}]+\}\}|<\/?\w+>/g) ?? []).sort()

test('both catalogs have the same keys in the same order, with the same placeholders and tags', () => {
  const norwegian = new Map(textsIn(nb))
  expect([...norwegian.keys()]).toEqual(textsIn(en).map(([key]) => key))
  for (const [key, text] of textsIn(en)) {
    expect(new Set(marksOf(norwegian.get(key) ?? '')), key).toEqual(new Set(marksOf(text)))
    expect(text.trim(), key).not.toBe('')
    expect(norwegian.get(key)?.trim(), key).not.toBe('')
  }
})

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

test('a failure is told by its code and, if known, by what was asked for', () => {
  startTexts('nb')
  const failure = (code: string) => Object.assign(new Error('for developers'), { code })
  expect(errorText(failure('ERR_NOT_FOUND'), 'exercise')).toBe('Øvelsen finnes ikke.')
  expect(errorText(failure('ERR_NOT_FOUND'))).toBe(nb.errors.ERR_NOT_FOUND)
  expect(errorText(failure('ERR_NEW'), 'exercise')).toBe(nb.errors.other)
  expect(t('exercises.count', { count: 1 })).toBe('1 øvelse')
  expect(t('exercises.count', { count: 0 })).toBe('Ingen øvelser')
})
