/** Widest line of the help, in characters. */
export const helpWidth = 90

/**
 * Breaks text at spaces so that no line is wider than {@link helpWidth}.
 *
 * @param indent put before every line but the first
 * @param begun characters that stand before the text on its first line
 */
export function wrapText(text: string, indent = '', begun = indent.length): string {
  const lines: string[] = []
  let line = ''
  let room = helpWidth - begun
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
      room = helpWidth - indent.length
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${indent}`)
}
