import { ParameterError } from '@service-link/protocol-core/errors'

/** Whether a value looks like a compact JWT: three parts of base64url, of which the last may be empty. */
export function isCompactJwt(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(value)
}

/** Says what was given in the place of a token, and what to do: the end of a sentence, and another. Never quotes it. */
export function noToken(value: unknown): string {
  const kind = typeof value === 'string' ? (kindOfText(value) ?? 'other text') : kindOfValue(value)
  const advice = /HTML$|Response|empty|undefined|other/.test(kind)
    ? 'Look at response.ok, and take await response.text().'
    : 'Give the token alone.'
  return `${kind}, not a compact JWT. ${advice}`
}

/** Says what a text probably is that is no token, if it looks like something. No pattern repeats: anybody may send a long text. */
export function kindOfText(text: string): string | undefined {
  const begun = text.trimStart()
  if (begun.startsWith('<')) return 'HTML'
  if (/^["[{]/.test(begun)) return 'JSON'
  if (begun.includes('&')) return 'HTML-escaped'
  if (begun === '') return 'empty'
  return /\s/.test(text) ? 'text with white space' : undefined
}

function kindOfValue(value: unknown): string {
  if (Object(value).then) return 'a promise'
  // By its method: `instanceof` fails across realms.
  return typeof Object(value).text === 'function' ? 'a Response' : `something of the type ${typeof value}`
}

/**
 * Checks the names of options, and the type of those that are text. It is for functions whose bundle is small: `assertParameter` is
 * larger than all of theirs.
 *
 * @param hint a sentence for a name that is not known
 */
export function assertOptions(
  options: object,
  texts: readonly string[],
  others: readonly string[],
  hint: (name: string, known: readonly string[]) => string = () => '',
): void {
  if (typeof options !== 'object' || !options || 'then' in options)
    throw wrongType('options', options, 'an object')
  const known = [...texts, ...others]
  for (const [name, value] of Object.entries(options)) {
    // The caller may have put a token or a person's number there.
    const parameter = /^[a-z]{1,39}$/i.test(name) ? `options.${name}` : 'options'
    if (!known.includes(name)) throw new ParameterError(parameter, '', `is not known.${hint(name, known)}`)
    if (texts.includes(name) && value !== undefined && typeof value !== 'string')
      throw wrongType(parameter, value, 'text')
  }
}

/** The error for a parameter of another type. It knows a promise that was not awaited. */
export function wrongType(parameter: string, value: unknown, expected: string): ParameterError {
  return new ParameterError(parameter, expected, Object(value).then && 'is a promise: await it.')
}

/**
 * Whether a text is an absolute http or https URL for every reader. It needs both slashes: browsers resolve `https:host`
 * against the page. It has no white space or control characters, which URL parsers drop.
 */
export function isHttpUrl(text: unknown): text is string {
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
