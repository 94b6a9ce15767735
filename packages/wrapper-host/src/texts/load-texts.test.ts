import { expect, test } from 'vitest'
import { texts as danish } from './da.ts'
import { texts as german } from './de.ts'
import { texts as english } from './en.ts'
import { texts as finnish } from './fi.ts'
import { loadTexts, problemsOfTexts } from './load-texts.ts'
import { texts as norwegian } from './nb.ts'
import { texts as swedish } from './sv.ts'

const base = { displayName: 'Acme', culture: '', machine: 'en-US' }

test.each([
  [{ language: 'sv', culture: 'de-DE', machine: 'fi-FI' }, 'sv', 'Visa Acme'],
  [{ culture: 'de-DE', machine: 'fi-FI' }, 'de', 'Acme anzeigen'],
  [{ machine: 'fi-FI' }, 'fi', 'Näytä Acme'],
  [{ machine: 'nn-NO' }, 'nb', 'Vis Acme'],
  [{ machine: 'und' }, 'en', 'Show Acme'],
  [{ culture: 'fr-FR', machine: 'da-DK' }, 'en', 'Show Acme'],
  [{ language: 'pl', own: { trayShow: 'Pokaż {name}', trayClose: undefined } }, 'pl', 'Pokaż Acme'],
])('%o is %s: %s', async (choice, language, trayShow) => {
  expect(await loadTexts({ ...base, ...choice })).toMatchObject({
    language,
    trayShow,
    trayClose: expect.stringMatching(/\S/),
  })
})

test.each(Object.entries({ english, norwegian, swedish, danish, finnish, german }))(
  'every text in %s keeps the rules for texts, and the facts of the English one',
  (_, texts) => {
    expect(problemsOfTexts({ ...texts })).toEqual([])
    const facts = (own: object) =>
      Object.entries(own).map(([name, text]) => [name, String(text).match(/\{(?!name)\w+\}/g)])
    expect(facts(texts)).toEqual(facts(english))
  },
)

test.each([
  ['trayShou', 'x', 'is no text of the wrapper; did you mean trayShow?'],
  ['trayShow', '', 'must be a text'],
  ['trayShow', 7, 'must be a text'],
  ['trayShow', 'x'.repeat(61), 'must have at most 60 characters'],
  ['crashedReason', 'x'.repeat(301), 'must have at most 300 characters'],
  ['crashedReason', '<b>x</b>', 'must be one line without markup: no <, > and control characters'],
  ['updateAvailable', '{version} {file}', 'may have no other words in braces than {name}, {version}'],
])('of the own text %s, %o, it says: %s', (name, text, problem) => {
  expect(problemsOfTexts({ [name]: text })).toEqual([[name, problem]])
})
