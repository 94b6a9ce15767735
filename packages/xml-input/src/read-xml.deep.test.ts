import { expect, test } from 'vitest'
import { readXml } from './read-xml.ts'
import { XmlReadError } from './xml-error.ts'

// With quadratic work each would take minutes, and the time limit would fail the test.
test.each([
  ...[
    '&',
    '&#',
    '<!--',
    '<![CDATA[',
    '<',
    '<?',
    '</',
    '<a b="',
    "<a b='&amp;",
    'x<a/>',
    '<a>',
    '<!---->',
    '<a ',
  ],
  ...['<![CDATA[]]>', '&amp;', '<a b="c"/>\n', ' ', 'a', ' a="b"', '='],
])('a text full of %j is read or refused at once', { timeout: 120_000 }, piece => {
  const repeated = piece.repeat(Math.floor((1024 * 1024 - 200) / piece.length))
  for (const text of [
    repeated,
    `<a>${repeated}</a>`,
    `<a b="${repeated.replaceAll('"', '')}"/>`,
    `<a ${repeated}!`,
  ]) {
    try {
      readXml(text, { maxElements: 2 ** 31 - 1 })
    } catch (error) {
      expect(error).toBeInstanceOf(XmlReadError)
    }
  }
})
