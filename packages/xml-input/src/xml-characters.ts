// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 has not.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** Where the first character stands that XML 1.0 cannot carry, or -1. The text has no half of a surrogate pair. */
export function findForbiddenCharacter(text: string): number {
  return text.search(forbidden)
}

/** Whether a code point is a character of XML 1.0. */
export function isXmlCodePoint(codePoint: number): boolean {
  return (
    codePoint === 0x09 ||
    codePoint === 0x0a ||
    codePoint === 0x0d ||
    (codePoint >= 0x20 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
    (codePoint >= 0x1_0000 && codePoint <= 0x10_ffff)
  )
}
