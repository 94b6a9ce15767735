/** For a value in the quotes of a word processor, which no shell takes off. */
export const quotesProblem = 'is in typographic quotes. Write straight quotes, as in lastname="van Dyk"'

const doubleQuotes = /[“”„‟«»‹›‚″〝〞＂]/gu
const inSingleQuotes = /^[‘’‛].*[‘’‛]$/su

/**
 * Whether typographic quotes stand around a text, or one does at either end, as around a value with blanks that became several
 * arguments. An apostrophe within it or at one end belongs to a name, such as `O’Brien`.
 */
export function hasTypographicQuotes(text: string): boolean {
  const places = Array.from(text.matchAll(doubleQuotes), ({ index }) => index)
  const atEnds = [0, text.length - 1].filter(end => places.includes(end)).length
  return inSingleQuotes.test(text) || atEnds === 2 || (atEnds === 1 && places.length === 1)
}
