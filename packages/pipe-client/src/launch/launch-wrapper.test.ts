import { expect, test } from 'vitest'
import { noticeIn, readRefusal } from './launch-wrapper.ts'

test.each<[string, string, string | undefined]>([
  ['is the line that ends in a code', 'lastname is missing. (ERR_ARGS)\n', 'lastname is missing. (ERR_ARGS)'],
  ['is the last one', 'A. (ERR_A)\r\nB. (ERR_B)\r\nC.\r\n', 'B. (ERR_B)'],
  ['loses what would spoil a line', 'A\u001b[1m b. (ERR_A)\n', 'A [1m b. (ERR_A)'],
  [
    'is none where a program says something else',
    'Error: lastname=Nordmann\n    at main (ERR_A:1)\n',
    undefined,
  ],
  ['is none without words', ' (ERR_A)\n', undefined],
  ['is none of endless length', `${'x'.repeat(3_000)} (ERR_A)\n`, undefined],
  ['is none where nothing is', '', undefined],
])('the sentence of a refusal %s', (_title, text, sentence) => {
  expect(readRefusal(text)).toBe(sentence)
})

test.each<[string, string, string | undefined]>([
  [
    'is what was told',
    '--id=… was ignored; write id=….\nNothing is done.\n',
    '--id=… was ignored; write id=…. Nothing is done.',
  ],
  ['has no place of the pipe', 'The wrapper runs. Its pipe: /tmp/pipe\n', undefined],
  [
    'has no words of a runtime',
    'Error: Nordmann.\n    at main (a.js:1)\nDeprecationWarning: x.\n',
    undefined,
  ],
  ['is missing where nothing is', '', undefined],
])('the notice of a launch %s', (_title, text, notice) => {
  expect(noticeIn(text)).toEqual(notice === undefined ? {} : { notice })
})
