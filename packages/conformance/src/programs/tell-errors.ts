import type { ProgramEnd } from './run-program.ts'

/** Longest end of standard error in a fault, in characters. */
const longestEnd = 400

/** A sentence with the last lines of standard error, without what may be a token or a key. Empty if there are none. */
export function tellErrors({ errors }: Pick<ProgramEnd, 'errors'>): string {
  // Hidden before it is cut: the rest of a key would not look like one.
  const lines = errors
    .replaceAll(/-----BEGIN[\s\S]*?(-----END[^\n]*|$)/g, '…')
    .replaceAll(longWord, hideSecret)
  // The lines of a stack hide the sentence before them.
  const end = lines
    .replaceAll(/^\s+at .*\n?/gm, '')
    .trim()
    .slice(-longestEnd)
    .split(/\s*\n\s*/)
    .slice(-6)
  return end.join('') === '' ? '' : ` Standard error ends with: ${end.join(' | ')}`
}

const longWord = /[\w+/=.-]{20,}/g

/** Tokens, base64 and hexadecimal digits; paths stay. */
function hideSecret(word: string): string {
  const isToken = /^eyJ/.test(word) || /^([\w-]{10,}\.){2}[\w-]*$/.test(word)
  const isKey =
    /^[\da-f]{20,}$/i.test(word) || (/^[\w+/=-]+$/.test(word) && mixed.every(kind => kind.test(word)))
  return isToken || isKey ? '…' : word
}

const mixed = [/[a-z]/, /[A-Z]/, /\d/]
