import { startTexts } from '@service-link/ui/page-language'
import { textsIn } from '@service-link/ui/texts'
import { expect, test } from 'vitest'
import myEn from '../../my/en.json' with { type: 'json' }
import myNb from '../../my/nb.json' with { type: 'json' }
import pagesEn from '../pages/en.json' with { type: 'json' }
import pagesNb from '../pages/nb.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }
import { errorText, t } from './texts.ts'

const marksOf = (text: string) => (text.match(/\{\{[^}]+\}\}|<\/?\w+>/g) ?? []).sort()

test.each([
  ['of the first pages', en, nb],
  ['of the pages behind a session', pagesEn, pagesNb],
  ['of the patients’ own pages', myEn, myNb],
])(
  'both catalogs %s have the same keys in the same order, with the same placeholders and tags',
  (_name, en, nb) => {
    const norwegian = new Map(textsIn(nb))
    expect([...norwegian.keys()]).toEqual(textsIn(en).map(([key]) => key))
    for (const [key, text] of textsIn(en)) {
      expect(new Set(marksOf(norwegian.get(key) ?? '')), key).toEqual(new Set(marksOf(text)))
      expect(text.trim(), key).not.toBe('')
      expect(norwegian.get(key)?.trim(), key).not.toBe('')
    }
  },
)

test('a failure is told by its code and, if known, by what was asked for', () => {
  startTexts('nb')
  const failure = (code: string) => Object.assign(new Error('for developers'), { code })
  expect(errorText(failure('ERR_NOT_FOUND'), 'exercise')).toBe('Øvelsen finnes ikke.')
  expect(errorText(failure('ERR_NOT_FOUND'))).toBe(nb.errors.ERR_NOT_FOUND)
  expect(errorText(failure('ERR_NEW'), 'exercise')).toBe(nb.errors.other)
  expect(t('exercises.count', { count: 1 })).toBe('1 øvelse')
  expect(t('exercises.count', { count: 0 })).toBe('Ingen øvelser')
})
