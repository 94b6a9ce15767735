import { startTexts } from '@service-link/ui/page-language'
import { expect, test } from 'vitest'
import nb from './nb.json' with { type: 'json' }
import { errorText, t } from './texts.ts'

test('a failure is told by its code and, if known, by what was asked for', () => {
  startTexts('nb')
  const failure = (code: string) => Object.assign(new Error('for developers'), { code })
  expect(errorText(failure('ERR_NOT_FOUND'), 'exercise')).toBe('Øvelsen finnes ikke.')
  expect(errorText(failure('ERR_NOT_FOUND'))).toBe(nb.errors.ERR_NOT_FOUND)
  expect(errorText(failure('ERR_NEW'), 'exercise')).toBe(nb.errors.other)
  expect(t('exercises.count', { count: 1 })).toBe('1 øvelse')
  expect(t('exercises.count', { count: 0 })).toBe('Ingen øvelser')
})
