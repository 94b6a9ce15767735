import { expect, test } from 'vitest'
import { fillWords, splitWords } from './split-words.ts'

test.each([
  ['python3 service_pipe.py', ['python3', 'service_pipe.py']],
  [`"C:\\Program Files\\x.exe" --name='a "b"' ''`, ['C:\\Program Files\\x.exe', '--name=a "b"', '']],
  ['  ', []],
])('%j', (line, words) => expect(splitWords(line)).toEqual(words))

test('values take the places of their names, and other places stay', () => {
  expect(fillWords(['--key={key}', '{kid}', '{other}'], { key: 'a b', kid: '{key}' })).toEqual([
    '--key=a b',
    '{key}',
    '{other}',
  ])
})
