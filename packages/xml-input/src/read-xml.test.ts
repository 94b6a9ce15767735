import { describe, expect, test } from 'vitest'
import { readXml } from './read-xml.ts'
import { XmlReadError } from './xml-error.ts'

const doctype = '<!DOCTYPE a [<!ENTITY b "bbb">]>'

describe('a DOCTYPE is refused at its place', () => {
  test.each(['', '\n', '<?p <![CDATA[ ?>', '<?p <!-- ?>', '<?p "?>', '<!-- a -->'])('behind %j', before => {
    expect(() => readXml(`${before}${doctype}<a><!-- --><![CDATA[]]></a>`)).toThrow(
      expect.objectContaining({
        code: 'ERR_XML_DOCTYPE',
        ...(before === '\n' ? { line: 2, column: 1 } : { line: 1, column: before.length + 1 }),
      }),
    )
  })

  test.each([
    ['the value of an attribute', `<a x="<!--">${doctype}<y z="-->"/></a>`],
    ['a tag', `<a <!-->${doctype}<y --></a>`],
    ['an end tag', `<a><b></b "><!-- ">${doctype} --></a>`],
    ['an instruction', `<?p "?><!-- "?>${doctype}<a>&b;</a><!-- -->`],
    ['another declaration', `<!ENTITY b "b"><a/>`],
  ])('and text that would hide it in %s is refused', (_title, text) => {
    expect(() => readXml(text)).toThrow(XmlReadError)
  })
})

test.each([
  [
    'text that is markup elsewhere',
    `<?p ${doctype} " ?><a><!-- &c; ' --><![CDATA[<b>&c;]]><?p "<!--"?></a>`,
    '<b>&c;',
  ],
  ['a reference once', '<a>&#38;amp;&amp;lt;<![CDATA[&amp;]]></a>', '&amp;&lt;&amp;'],
  ['a long number', `<a>&#x${'0'.repeat(100)}41;</a>`, 'A'],
  ['what resembles a number or a truth value', '<a>007 1e3 0x1F true </a>', '007 1e3 0x1F true '],
  ['line breaks', '<a>\r\n\r&#13;\n</a>', '\n\n\r\n'],
  ['spaces of other scripts', '<a>\u1680a\ufeff</a>', '\u1680a\ufeff'],
])('%s: text is kept', (_title, text, expected) => {
  expect(readXml(text).text).toBe(expected)
})

test.each([
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'a\u1680b',
  'a\ufeff',
  'b😀',
])('%j is an ordinary name', name => {
  const { attributes, children } = readXml(
    `<a ${name}="1\n\t2&#10;"><${name} c="3"/><${name}>4</${name}></a>`,
  )
  expect([...attributes]).toEqual([[name, '1  2\n']])
  expect(children.map(child => [child.name, child.attributes.get('c'), child.text])).toEqual([
    [name, '3', ''],
    [name, undefined, '4'],
  ])
})

test('an element tells where it stands in the text, whatever its line breaks', () => {
  const text = '\ufeff<?p "?>\r\n<a>\r\n<!-- \r\n --><b c="\r\n"/>\r<d>\r\n</d></a>\r\n'
  const { start, end, children } = readXml(text)
  const places = [{ start, end }, ...children].map(place => text.slice(place.start, place.end))
  expect(places).toEqual([text.trim().slice(9), '<b c="\r\n"/>', '<d>\r\n</d>'])
})
