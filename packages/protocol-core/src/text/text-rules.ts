/** Longest text of one field after surrounding white space is dropped, in characters (Unicode code points). */
export const maxTextLength = 4096

/** Most arguments of one launch. */
export const maxLaunchArguments = 1024

/** An integer of at most 16 decimal digits, with white space around it. */
export const integerText = /^\s*-?\d{1,16}\s*$/

/**
 * Reads an integer in decimal digits, with white space around it.
 *
 * @returns nothing for another text, and beyond ±9,007,199,254,740,991, because the number could not be kept exactly
 */
export function readInteger(text: string): number | undefined {
  const integer = integerText.test(text) ? Number(text) : undefined
  return Number.isSafeInteger(integer) ? integer : undefined
}

/**
 * Tells why some transport cannot carry a text or some database cannot keep it. The one rule for texts of fields.
 *
 * @param maxLength in characters (Unicode code points). Default {@link maxTextLength}
 * @returns a clause without the text; `undefined` when nothing is wrong
 */
export function findTextProblem(text: string, maxLength = maxTextLength): string | undefined {
  if (text.includes('\0')) return 'holds the character U+0000'
  if (!text.isWellFormed()) return 'holds half of a character (a lone surrogate)'
  // A character is one or two code units, so only lengths between the two bounds need counting.
  const isTooLong = text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength)
  return isTooLong ? `is longer than ${maxLength} characters` : undefined
}

/**
 * Reads a text as programs in the field send it: without white space around it, and a number as its decimal text.
 *
 * @returns the text, empty where the value is missing, null or blank; or why the value is no text
 */
export function readLooseText(value: unknown): { readonly text: string; readonly problem?: string } {
  if (value === undefined || value === null) return { text: '' }
  if (typeof value === 'string') return { text: trimText(value) }
  if (typeof value !== 'number') return { text: '', problem: 'must be text' }
  // JSON's reader has rounded a larger number already.
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && /^-?[\d.]+$/.test(String(value))
    ? { text: String(value) }
    : { text: '', problem: 'is a number that has lost digits: send it as text' }
}

/** Characters that nobody sees, such as the zero-width space, the soft hyphen and the byte-order mark; for a class of a pattern. */
export const invisible = '\\p{Default_Ignorable_Code_Point}\\p{Cf}'

const blankCharacter = /* @__PURE__ */ new RegExp(`^[\\s${invisible}]$`, 'u')
const visibleCharacter = /* @__PURE__ */ new RegExp(`[^\\s${invisible}]`, 'u')

/** Takes white space and invisible characters off the ends of an id. Within it they stay: an id is compared as sent. */
export function trimId(text: string): string {
  const start = findVisible(text)
  let end = text.length
  while (end > start) {
    const size = end - start > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1
    if (!blankCharacter.test(text.slice(end - size, end))) break
    end -= size
  }
  return text.slice(start, end)
}

/** Where the first character stands that is neither white space nor invisible; the length if there is none. */
function findVisible(text: string): number {
  return visibleCharacter.exec(text)?.index ?? text.length
}

/** Takes white space off the ends of a text. A text that nobody sees is empty. */
export function trimText(text: string): string {
  const trimmed = text.trim()
  return visibleCharacter.test(trimmed) ? trimmed : ''
}

/** Tells why an id that a program writes names nobody: empty, or what a language writes for a value that is not there. */
export function findIdProblem(text: string): string | undefined {
  const id = trimId(text)
  if (id === '') return 'is empty'
  const isUnfilled = /^(undefined|null|None|nil|NaN)$|\[object |\{\{|\$\{/.test(id)
  return isUnfilled ? 'is the text of a missing value, of an object or of a template' : undefined
}

/** Writes a place. A name chosen by a sender may hold characters that a log or a database cannot keep. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').replaceAll('\0', '\ufffd').toWellFormed()
}

/**
 * Reads `true`, `false`, `1` or `0` in any case and with white space around it.
 *
 * @param whenEmpty what absent and empty text mean
 * @returns the flag, or `undefined` when the text is another word
 */
export function readFlag(text: string | undefined, whenEmpty: boolean | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase() ?? ''
  if (word === 'true' || word === '1') return true
  if (word === 'false' || word === '0') return false
  return word === '' ? whenEmpty : undefined
}

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
