/** What moves the cursor, turns the direction of text, or is not seen: it would drive a terminal, or show something else. */
const driving = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text that somebody else wrote, for a line of a terminal: without characters that drive it. */
export function plainLine(text: string): string {
  return text.replace(driving, ' ')
}

/** The same for several lines. */
export function plainLines(text: string): string {
  return text.replace(driving, character => (character === '\n' || character === '\t' ? character : ' '))
}

/** JSON with such characters as escapes: its value is the same. Line breaks between members stay. */
export function plainJson(json: string): string {
  return json.replace(driving, character => (character === '\n' ? character : escapeUnits(character)))
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
