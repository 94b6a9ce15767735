/** A token, and the text around it. */
interface UnwrappedToken {
  readonly token: string
  /** Each thing to remove, as a clause. */
  readonly wrappings: readonly string[]
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
  { clause: 'it is in quotation marks', strip: withoutQuotes },
  {
    clause: 'white space or line breaks are in it',
    // Without the space, the word Bearer would join the token.
    strip: text => text.replace(/(?<!bearer)(\\[rn]|\s)/gi, ''),
  },
]

function withoutQuotes(text: string): string {
  const [first = ''] = text
  const isQuoted = text.length > 1 && /["'`]/.test(first) && text.endsWith(first)
  return isQuoted ? text.slice(1, -1) : text
}

/**
 * Removes text that programs and people put around a token by mistake, so that its checks can go on. The service removes none.
 */
export function unwrapToken(text: string): UnwrappedToken {
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

/** Whether a text of three parts has characters of plain base64. */
function isPlainBase64(text: string): boolean {
  const [header, claims, , more] = text.split('.', 4)
  return !/[^\w+/=.-]/.test(text) && /[+/=]/.test(text) && Boolean(header && claims) && more === undefined
}
