const indentation = '    '

const references = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

/** An element that holds these lines. */
export function inElement(name: string, lines: readonly string[]): string[] {
  return [`<${name}>`, ...indented(lines), `</${name}>`]
}

/** The lines, one step further to the right. */
export function indented(lines: readonly string[]): string[] {
  return lines.map(line => indentation + line)
}

/** A setting as .NET writes it. */
export function settingLines(name: string, value: string): string[] {
  return [
    `<setting name="${escapeXml(name)}" serializeAs="String">`,
    indentation + valueLine(value),
    '</setting>',
  ]
}

/** The element with the text of a setting. */
export function valueLine(value: string): string {
  return `<value>${escapeXml(value)}</value>`
}

/** A carriage return would be read as a line feed, and white space in an attribute as blanks. */
function escapeXml(text: string): string {
  return text.replaceAll(
    /[&<>"\r\n\t]/g,
    character => references.get(character) ?? `&#${character.codePointAt(0)};`,
  )
}
