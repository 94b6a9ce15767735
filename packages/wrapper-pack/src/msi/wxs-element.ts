/** Attributes of an element. Those that are `undefined` are left out. */
type Attributes = Readonly<Record<string, string | undefined>>

/**
 * Writes an element of an installer's source, with the lines of its content.
 *
 * @param content lines of {@link element}
 */
export function element(
  name: string,
  attributes: Attributes = {},
  content: readonly string[] = [],
): readonly string[] {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escapeXml(value)}"`,
  )
  const start = `<${name}${written.join('')}`
  if (content.length === 0) return [`${start}/>`]
  return [`${start}>`, ...content.map(line => `  ${line}`), `</${name}>`]
}

/** An element with text only, on one line: white space would be part of the text. */
export function textElement(name: string, attributes: Attributes, text: string): readonly string[] {
  const [start = ''] = element(name, attributes)
  return [`${start.slice(0, -2)}>${escapeXml(text)}</${name}>`]
}

/** Windows Installer replaces `[…]` by properties in some columns of its tables. */
export function escapeProperties(text: string): string {
  return text.replaceAll(/[[\]{}]/g, '[\\$&]')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => entities[character] ?? character)
}
