/** Longest text that is shown, in characters. */
const maxShown = 100

/**
 * Shows text out of a token that nobody has vouched for: cut, in quotation marks, and with escapes for all that is not
 * plain ASCII, so that a terminal does nothing with it.
 */
export function quoteText(text: string): string {
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
  return `"${escapeText(shown)}"`
}

/** {@link quoteText} of whatever a JSON value is; objects and lists are only named. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return quoteText(value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

function escapeText(text: string): string {
  return text.replace(/[^\x20-\x7e…]/g, character => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
}
