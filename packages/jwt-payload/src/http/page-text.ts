import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'

/** Whether a value looks like a compact JWT: three parts of base64url, of which the last may be empty. */
export function isCompactJwt(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(value)
}

/** What a text probably is that is no token. The first that fits counts. */
const lookalikes: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['HTML', /^\s*</],
  ['JSON', /^\s*[[{]/],
  ['quoted', /^\s*["']/],
  ['a Bearer header', /^\s*bearer /i],
  ['HTML-escaped', /&/],
  ['empty', /^\s*$/],
  ['text with white space', /\s/],
]

/** Says what was given in the place of a token, and what to do: the end of a sentence, and another. Never quotes it. */
export function noToken(value: unknown): string {
  const kind = typeof value === 'string' ? (kindOfText(value) ?? 'other text') : kindOfValue(value)
  const advice = /HTML$|Response|empty|undefined/.test(kind)
    ? 'Look at response.ok, and take await response.text().'
    : 'Give the token alone.'
  return `${kind}, not a compact JWT. ${advice}`
}

/** Says what a text probably is that is no token, if it looks like something. */
export function kindOfText(text: string): string | undefined {
  return lookalikes.find(([, pattern]) => pattern.test(text))?.[0]
}

function kindOfValue(value: unknown): string {
  if (Object(value).then) return 'a promise'
  return isResponse(value) ? 'a Response' : `of the type ${typeof value}`
}

/** By its method: `instanceof` fails across realms. */
export function isResponse(value: unknown): boolean {
  return typeof Object(value).text === 'function'
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

function wrongType(parameter: string, value: unknown, expected: string): ParameterError {
  return new ParameterError(parameter, expected, Object(value).then && 'is a promise: await it.')
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

/**
 * Says why an address cannot be that of a receiver, as a clause. One-time URLs lie below it, and partners write it into `aud`, so that
 * nothing may follow its path.
 */
export function addressProblem(address: unknown): string | undefined {
  if (address === undefined) return 'is missing'
  if (typeof address !== 'string' || !isHttpUrl(address))
    return `must be ${address instanceof URL ? 'text: url.href' : 'an absolute http or https URL'}`
  const url = new URL(address)
  if (url.username || url.password) return 'must have no user name or password'
  if (/[?#]/.test(address)) return 'must have no query and no fragment'
  return isPlainHost(url) ? undefined : 'must have the name of one host'
}

/** @throws {ParameterError} when an option is not the address of a receiver */
export function assertAddress(name: string, address: unknown): void {
  if (Object(address).then) assertParameter(name, address, 'text')
  const problem = Array.isArray(address)
    ? 'must be one address: a token is for one receiver'
    : addressProblem(address)
  if (problem) throw new ParameterError(name, 'the address of the receiver', `${problem}. ${addressAdvice}`)
}

/** @throws {ParameterError} when a name is empty, or has white space around it: names are compared exactly */
export function assertName(parameter: string, name: string | undefined): void {
  assertParameter(parameter, name, 'text?')
  if (name !== undefined && (name === '' || name.trim() !== name))
    throw new ParameterError(parameter, 'text of 1 character or more, without white space around it')
}

/** What to write in the place of an address that cannot be that of a receiver. */
export const addressAdvice = 'Write the address of the post, such as https://sso.example/partner/payload.'

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
