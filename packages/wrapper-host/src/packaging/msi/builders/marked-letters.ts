const mark = /__u([\da-f]{6})__/g

/**
 * Puts marks of ASCII letters in the place of all others in the attributes and texts of an installer's source, but for those that name
 * a file on this machine.
 */
export function markLetters(wxs: string): string {
  return wxs.replaceAll(/( (?:Source|SourceFile)="[^"]*")|([^\p{ASCII}])/gu, (_all, file, letter: string) => {
    if (file !== undefined) return file
    return `__u${letter.codePointAt(0)?.toString(16).padStart(6, '0')}__`
  })
}

/** What {@link markLetters} had marked. */
export function unmarkLetters(text: string): string {
  return text.replaceAll(mark, (_all, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
}
