import { expect, test } from 'vitest'
import { LineDecoder } from './line-decoder.ts'

test('lines come out whole wherever the stream is cut', () => {
  const text = 'one\n\ntwo ✓\nrest'
  for (let cut = 0; cut <= text.length; cut++) {
    const decoder = new LineDecoder(10)
    const lines = [text.slice(0, cut), text.slice(cut)].flatMap(piece => decoder.push(piece) ?? ['too long'])
    expect(lines).toEqual(['one', '', 'two ✓'])
  }
})

test.each([
  ['at once', ['abcdef\n']],
  ['without an end', ['abcdef']],
  ['in pieces', ['abc', 'def']],
])('a line that is too long is told, %s', (_, pieces) => {
  const decoder = new LineDecoder(5)
  expect(pieces.map(piece => decoder.push(piece)).at(-1)).toBeUndefined()
})
