/** Characters that move the cursor, turn the direction of text or are invisible: they could drive a terminal. */
const driving = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Foreign text for one line of a terminal: each driving character becomes a space. */
export function plainLine(text: string): string {
  return text.replace(driving, ' ')
}

/** Foreign text of several lines: line breaks and tabs stay. */
export function plainLines(text: string): string {
  return text.replace(driving, character => (character === '\n' || character === '\t' ? character : ' '))
}

/** A value as JSON with driving characters as escapes; indented for a person. */
export function plainJson(value: unknown, isForPerson: boolean): string {
  const json = JSON.stringify(value ?? null, null, isForPerson ? 2 : 0)
  return json.replace(driving, character => (character === '\n' ? character : escapeUnits(character)))
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/**
 * Breaks text at spaces.
 *
 * @param width of a line with its indentation, in characters
 * @param indent put before every line but the first
 */
export function wrapText(text: string, width: number, indent: string): string {
  const room = Math.max(20, width - indent.length)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${indent}`)
}
