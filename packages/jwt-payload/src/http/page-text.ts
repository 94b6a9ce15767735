/** Whether a value looks like a compact JWT: three parts of base64url, of which the last may be empty. */
export function isCompactJwt(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(value)
}

/** A character reference of HTML, such as `&#x2B;` or `&amp;`. No token has one. */
const characterReference = /&(#\w{1,7}|amp|quot);/

/** The remedy for a token that was escaped as HTML, as a sentence after another; empty for any other text. */
export function escapedTokenHint(text: unknown): string {
  return typeof text === 'string' && characterReference.test(text)
    ? ' It is HTML-escaped, as &#x2B; or &amp; show. Pass it on as it was signed.'
    : ''
}

/**
 * Whether a text is an absolute http or https URL for every reader. It needs both slashes: browsers resolve `https:host`
 * against the page. It has no white space or control characters, which URL parsers drop.
 */
export function isHttpUrl(text: unknown): boolean {
  return typeof text === 'string' && /^https?:\/\/(?![/\\])[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text)
}

/** A URL's host may hold characters, such as `;` and `*`, that mean something else in a header. */
export function isPlainHost({ hostname }: URL): boolean {
  return /^(?:[\w.-]+|\[[\da-f:]+\])$/.test(hostname)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes a text safe as HTML text and inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '')
}

/** Reads a JSON text; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
