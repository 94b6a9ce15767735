import { expect, test } from 'vitest'
import { foldText, searchWords } from './dialect.ts'

test.each([
  ['O’Brien', "o'brien"],
  ['Oʼbrien', "o'brien"],
  ['Anne\u00ad‐Ma\u200brie', 'anne-marie'],
])('%j is searched as %j', (text, twin) => {
  expect(searchWords(text)).toEqual(searchWords(twin))
})

test.each([
  ['Squat  jump', ['squat', 'jump']],
  ['ÅSE Øvergård, Aase Æbø', ['ase', 'overgard', 'ase', 'aebo']],
  ['Łukasz Groß', ['lukasz', 'gross']],
  ['"drop" OR (1=1)', ['drop', 'or', '1', '1']],
  ['田中 明美', ['田中', '明美']],
  ['', []],
  ['***', []],
])('%j is cut into its words', (text, words) => {
  expect(searchWords(text)).toEqual(words)
})

test('a text that was composed differently folds to the same', () => {
  expect(foldText('Jose\u0301')).toBe(foldText('JOSÉ'))
})

test('an endless text gives few words', () => {
  expect(searchWords('a '.repeat(10_000))).toHaveLength(12)
})
