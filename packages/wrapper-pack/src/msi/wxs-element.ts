/** Attributes of an element; one that is undefined is left out. */
export type Attributes = Readonly<Record<string, string | undefined>>

/**
 * Writes an element of an installer's source, with what it holds below it.
 *
 * @param content lines that {@link element} or {@link escapeXml} has made
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

/** An element that holds a text and nothing else: white space around it would be part of it. */
export function textElement(name: string, attributes: Attributes, text: string): readonly string[] {
  const [start = ''] = element(name, attributes)
  return [`${start.slice(0, -2)}>${escapeXml(text)}</${name}>`]
}

/** Windows Installer puts properties in the place of `[…]` in some columns of its tables. */
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

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => entities[character] ?? character)
}
