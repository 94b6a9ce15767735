import { PayloadTooLargeError, Refusal } from '../errors/refusals.ts'
import { kindOfText } from '../http/page-text.ts'
import { maxSeconds, type PayloadPolicy, timeOf } from '../verify/check-claims.ts'
import { type JsonObject, maxTokenBytes, readToken, type UnverifiedToken } from '../verify/read-token.ts'
import { type ExplainedCheck, quoteValue, type Words } from './explained-check.ts'

const fieldName = 'payload='

/**
 * Finds a token in a text. Text around the token fails the check.
 *
 * @param maxFormBytes the receiver's limit of the form, which has the field's name too
 */
export function explainToken(
  text: string,
  maxFormBytes = Number.POSITIVE_INFINITY,
): {
  readonly first: ExplainedCheck
  readonly readable?: UnverifiedToken
} {
  const base = { check: 'token', isTrusted: false } as const
  try {
    const readable = readToken(text)
    if (text.length + fieldName.length > maxFormBytes) throw new PayloadTooLargeError(maxFormBytes)
    return { first: { ...base, outcome: 'passed', ...describeToken(readable) }, readable }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const failed = { ...base, outcome: 'failed', code: error.code } as const
    const { token, wrappings } = unwrapToken(text.slice(0, 2 * maxTokenBytes))
    try {
      if (wrappings.length > 0)
        return {
          readable: readToken(token),
          first: { ...failed, ...describeBrokenToken(text, wrappings, error) },
        }
    } catch (other) {
      if (!(other instanceof Refusal)) throw other
    }
    return { first: { ...failed, ...describeBrokenToken(text, [], error) } }
  }
}

function describeToken({ signingInput, signature, header }: UnverifiedToken): Words {
  const bytes = signingInput.length + 1 + Math.ceil((signature.length * 4) / 3)
  const kid = header.kid === undefined ? 'no kid' : `kid ${quoteValue(header.kid)}`
  return { says: `A signed JWT of ${bytes} bytes. Its header has alg ${quoteValue(header.alg)} and ${kid}.` }
}

function describeBrokenToken(text: string, wrappings: readonly string[], refusal: Refusal): Words {
  if (refusal.code === 'ERR_PAYLOAD_TOO_LARGE')
    return {
      says: `The token has ${text.length} characters. ${refusal.message}`,
      change: 'Leave out what the service does not need, such as pictures or lists.',
    }
  if (wrappings.length > 0)
    return {
      says: `${refusal.message} This is more than a token: ${wrappings.join('; ')}.`,
      change: 'Send the token alone. The checks below look at the token alone.',
    }
  return { says: refusal.message, change: changeOfText(text) }
}

function changeOfText(text: string): string {
  if (text === '') return 'There is no token at all: the text is empty.'
  if (/^-----BEGIN /.test(text))
    return 'This is a key or certificate. Give the token that was signed with it.'
  const kind = kindOfText(text)
  if (kind === 'HTML')
    return 'This is HTML, such as an error page. Look whether the request for the token succeeded.'
  // So begins the base64url of each header.
  if (kind === 'JSON' && text.includes('"ey'))
    return 'The token is inside of this JSON. Take it out, and send it alone.'
  if (kind === 'JSON') return 'These are claims that nobody has signed. Sign them first, with signPayload.'
  const parts = text.split('.').length
  if (parts === 5) return 'Five parts are an encrypted JWT. Sign the claims, and do not encrypt them.'
  if (parts === 2) return 'Two parts are a token without its signature. Take all of it, with both dots.'
  return 'Let a JWT library make the token (JWS compact serialization), and hand it on whole and unchanged.'
}

/** Most layers that are removed, such as quotation marks around a word around the token. */
const maxLayers = 4

/** Longest wrapping before a token, in characters. It bounds the work of patterns that repeat. */
const maxPrefix = 100

const wrappings: readonly { readonly clause: string; readonly strip: (text: string) => string }[] = [
  { clause: 'a byte order mark is before it', strip: text => text.replace(/^\uFEFF/, '') },
  // Faster than a regular expression for the end, which would try each of many spaces.
  { clause: 'white space is around it', strip: text => text.trim() },
  { clause: 'the form field’s name, payload=, is before it', strip: text => text.replace(/^payload=/i, '') },
  {
    clause: 'the word Bearer is before it',
    strip: text =>
      text.slice(0, maxPrefix).replace(/^(authorization:\s*)?bearer\s+/i, '') + text.slice(maxPrefix),
  },
  { clause: 'HTML character references such as &#x2B; or &amp; are in it', strip: unescapeHtml },
  { clause: 'it is in quotation marks', strip: withoutQuotes },
  {
    clause: 'white space or line breaks are in it',
    // Without the space, the word Bearer would join the token.
    strip: text => text.replace(/(?<!bearer)(\\[rn]|\s)/gi, ''),
  },
]

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,4})|#(\d{1,4})|(amp|quot|apos|lt|gt));/gi,
    (_reference, hex?: string, decimal?: string, name = '') =>
      entities[String(name).toLowerCase()] ??
      String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )
}

function withoutQuotes(text: string): string {
  const [first = ''] = text
  const isQuoted = text.length > 1 && /["'`]/.test(first) && text.endsWith(first)
  return isQuoted ? text.slice(1, -1) : text
}

/**
 * Removes text that programs and people put around a token by mistake, so that its checks can go on. The service removes none.
 *
 * @returns the token, and each thing to remove as a clause
 */
export function unwrapToken(text: string) {
  const found = new Set<string>()
  let token = text
  for (let round = 0; round < maxLayers; round++) {
    const before = token
    for (const { clause, strip } of wrappings) {
      const bare = strip(token)
      if (bare !== token) found.add(clause)
      token = bare
    }
    if (token === before) break
  }
  if (isPlainBase64(token)) {
    found.add('it is in base64 with +, / or =; a JWT is in base64url, with - and _ and no padding')
    token = token.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }
  return { token, wrappings: [...found] }
}

function isPlainBase64(text: string): boolean {
  const [header, claims, , more] = text.split('.', 4)
  return !/[^\w+/=.-]/.test(text) && /[+/=]/.test(text) && Boolean(header && claims) && more === undefined
}

/** The claims, unverified; `undefined` if they cannot be read. */
export function claimsOf(text: string): JsonObject | undefined {
  try {
    return readToken(unwrapToken(text).token).claims()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** The signing time of a token, unverified; `undefined` if it has none. */
export function signingTimeOf(text: string, policy: PayloadPolicy): Date | undefined {
  const iat = timeOf(claimsOf(text)?.iat, policy)
  return typeof iat === 'number' && iat >= 0 && iat <= maxSeconds ? new Date(iat * 1000) : undefined
}
