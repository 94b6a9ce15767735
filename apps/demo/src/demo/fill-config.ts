/**
 * Gives settings of a shipped configuration file other values.
 *
 * @param config text of the file, in which each of the settings is named
 * @param values text by name of the setting
 * @throws {TypeError} when the file does not have one of them
 */
export function fillConfig(config: string, values: Readonly<Record<string, string>>): string {
  let filled = config
  for (const [name, value] of Object.entries(values)) {
    const pattern = new RegExp(`(<setting name="${name}"[^>]*>\\s*<value>)[^<]*(?=</value>)`)
    if (!pattern.test(filled)) throw new TypeError(`The configuration file has no setting ${name}.`)
    filled = filled.replace(pattern, (_, before: string) => before + escapeXml(value))
  }
  return filled
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
