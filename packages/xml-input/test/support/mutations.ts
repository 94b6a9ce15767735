/** Random numbers below a bound; equal seeds give equal numbers (mulberry32). */
export type Random = (below: number) => number

export function seededRandom(seed: number): Random {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

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

/**
 * Changes a document in one to three places: inserts a piece, or removes, doubles, moves, replaces or cuts off
 * characters.
 */
export function mutate(document: string, random: Random): string {
  let text = document
  for (let count = 1 + random(3); count > 0; count--) text = change(text, random)
  return text.toWellFormed()
}

function change(text: string, random: Random): string {
  const at = random(text.length + 1)
  const end = Math.min(text.length, at + 1 + random(random(4) === 0 ? 60 : 4))
  const [before, within, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)]
  const piece = pieces[random(pieces.length)] ?? ''
  switch (random(12)) {
    case 0:
    case 1:
      return before + after
    case 2:
      return before + within + within + after
    case 3: {
      const to = random(after.length + 1)
      return before + after.slice(0, to) + within + after.slice(to)
    }
    case 4:
    case 5:
    case 6:
      return before + piece + after
    case 7:
      return random(8) === 0 ? before : before + piece + within + after
    default:
      return before + piece + within + after
  }
}
