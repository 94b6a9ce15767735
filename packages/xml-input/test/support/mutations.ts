import fc from 'fast-check'

/** Pieces of XML syntax, and pieces that resemble it. */
const pieces = [
  ...'<>&"\'=/?!-[];:#. \t\n\r\u00a0\ufeff\u0085\u2028aA1_é中😀\u0001\u007f\ufffe\u0300\u00b7',
  ...['<!--', '-->', '--', '<![CDATA[', ']]>', ']]', '<?', '?>', '</', '/>', '<a>', '</a>', '<a/>', '\r\n'],
  ...['&amp;', '&lt;', '&#65;', '&#x1F600;', '&#0;', '&#xD800;', '&#13;', '&#9;', '&nbsp;', '&#', '&#x'],
  ...[
    '<?xml version="1.0"?>',
    '<?xml',
    '<?pi "?>',
    '<!DOCTYPE a>',
    '<!ENTITY',
    ' a="b"',
    " a='>'",
    ' a=b',
    ' a',
  ],
  ...[
    '<__proto__/>',
    '<constructor>',
    ' __proto__="1"',
    ' xmlns="urn:a"',
    ' xml:space="preserve"',
    '<b:c/>',
    '<!',
  ],
]

const place = fc.noBias(fc.nat())
const change = fc.record({
  at: place,
  to: place,
  length: fc.noBias(
    fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.integer({ min: 1, max: 60 })),
  ),
  piece: fc.constantFrom(...pieces),
  how: fc.oneof(
    { weight: 40, arbitrary: fc.constant('insert') },
    { weight: 24, arbitrary: fc.constant('replace') },
    { weight: 32, arbitrary: fc.constantFrom('remove', 'remove', 'double', 'move') },
    { weight: 1, arbitrary: fc.constant('cut') },
  ),
})

/** Documents with one to three changes. */
export function mutationsOf(document: string): fc.Arbitrary<string> {
  return fc.array(change, { minLength: 1, maxLength: 3 }).map(changes =>
    changes
      .reduce((text, { at, to, length, piece, how }) => {
        const start = at % (text.length + 1)
        const [before, within, after] = [
          text.slice(0, start),
          text.slice(start, start + length),
          text.slice(start + length),
        ]
        const gap = to % (after.length + 1)
        if (how === 'insert') return before + piece + within + after
        if (how === 'replace') return before + piece + after
        if (how === 'double') return before + within + within + after
        if (how === 'move') return before + after.slice(0, gap) + within + after.slice(gap)
        return how === 'cut' ? before : before + after
      }, document)
      .toWellFormed(),
  )
}
