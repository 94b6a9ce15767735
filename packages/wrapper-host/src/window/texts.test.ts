import { expect, test } from 'vitest'
import { englishTexts, guardedTexts } from './texts.ts'

test('a text that is undefined is the English one', () => {
  const texts = guardedTexts('Acme', { trayClose: undefined, traySignOut: 'Logg ut' }, () => undefined)
  expect(texts).toEqual({
    ...englishTexts('Acme'),
    traySignOut: 'Logg ut',
    updateAvailable: expect.any(Function),
  })
})
