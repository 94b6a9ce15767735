import { expect, test } from 'vitest'
import { comparableName, foldTwins } from './comparable-text.ts'

test.each([
  ["O'Brien", 'O’Brien', 'Oʼbrien', 'O‘Brien', 'O´Brien', 'O`Brien', 'O＇Brien', 'O′Brien', 'o’brien'],
  ['Anne-Marie', 'Anne‐Marie', 'Anne‑Marie', 'Anne–Marie', 'Anne−Marie', 'ANNE-MARIE', 'Anne-\u00adMarie'],
  ['Kari', 'Kari\u200b', '\ufeffKari', 'Ka\u00adri', 'K\u2060ari', '\u200eKari\u200f', ' Kari '],
  ['Anne Marie', 'Anne\u00a0Marie', 'Anne  Marie', 'Anne\u202fMarie', 'Anne\u2003\u200bMarie'],
  ['Åse', 'A\u030ase', 'ÅSE'],
  ['STRAẞE', 'Strasse', 'straße'],
])('%s is one name in every spelling', (name, ...spellings) => {
  for (const spelling of spellings) expect(comparableName(spelling)).toBe(comparableName(name))
})

test.each([
  ['Ås', 'As'],
  ['OBrien', 'O’Brien'],
  ['Anne Marie', 'Anne-Marie'],
  ['AnneMarie', 'Anne-Marie'],
])('%s and %s are two names', (name, other) => {
  expect(comparableName(name)).not.toBe(comparableName(other))
})

test('the twins of a text keep its case and accents', () => {
  expect(foldTwins('Åse O’Brien\u200b')).toBe("Åse O'Brien")
})
