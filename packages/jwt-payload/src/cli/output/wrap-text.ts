/**
 * Breaks text at spaces.
 *
 * @param width of a line, in characters, with its indentation
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
