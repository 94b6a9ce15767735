/** What moves the cursor, turns the direction of text, or is not seen: it would drive a terminal, or show something else. */
const driving = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text that a wrapper wrote, for a line of a terminal: without characters that drive it. */
export function plainLine(text: string): string {
  return text.replace(driving, ' ')
}

/** One value as JSON with such characters as escapes, so that its value is the same; indented when a person reads it. */
export function plainJson(value: unknown, isForPerson: boolean): string {
  const json = JSON.stringify(value ?? null, null, isForPerson ? 2 : 0)
  return json.replace(driving, character => (character === '\n' ? character : escapeUnits(character)))
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
