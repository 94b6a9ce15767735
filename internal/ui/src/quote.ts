/** Characters that a reader does not see, that end a line, or that turn the direction of text. Indented JSON keeps its line feeds. */
const unseen = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \n]/gu

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')

const escapeUnits = (text: string) =>
  text
    .split('')
    .map(unit => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join('')

/**
 * Writes a value as JSON without unseen characters. It is a literal of TypeScript and JavaScript, for a text also of C#: they know each
 * escape of JSON.
 */
export function jsonLiteral(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unseen, escapeUnits)
}

/** Writes a text as a string literal of Python, which reads two escaped halves of a character as two characters. */
export function pythonLiteral(text: string): string {
  return JSON.stringify(text).replace(unseen, character =>
    character.length === 1 ? escapeUnits(character) : `\\U${hex(character.codePointAt(0) ?? 0, 8)}`,
  )
}

/** Writes a text in quotes of PowerShell, which reads four typographic quotes as its own. */
export function powerShellLiteral(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
}
