/** Text that holds a token, and what is around it. */
export interface UnwrappedToken {
  readonly token: string
  /** What has to go, as a clause each. */
  readonly wrappings: readonly string[]
}

/** How many layers of wrapping are taken off, such as quotation marks around a word around the token. */
const maxLayers = 4

const wrappings: readonly { readonly clause: string; readonly strip: (text: string) => string }[] = [
  { clause: 'a byte order mark is before it', strip: text => text.replace(/^\uFEFF/, '') },
  // Not a regular expression: one for the end would try each of many spaces.
  { clause: 'white space is around it', strip: text => text.trim() },
  { clause: 'the form field’s name, payload=, is before it', strip: text => text.replace(/^payload=/i, '') },
  {
    clause: 'the word Bearer is before it',
    strip: text => text.replace(/^(authorization:\s*)?bearer\s+/i, ''),
  },
  { clause: 'it is in quotation marks', strip: text => text.replace(/^(["'`])(.*)\1$/s, '$2') },
  {
    clause: 'white space or line breaks are in it',
    // Not after a word: the word would grow into the token.
    strip: text => text.replace(/(?<!bearer)(\\[rn]|\s)+/gi, ''),
  },
]

/** Signs of base64 as it is written elsewhere, in a text of three parts. */
const plainBase64 = /^[\w+/=-]+\.[\w+/=-]+\.[\w+/=-]*$/

/**
 * Takes off what programs and people put around a token by mistake, so that the rest of it can be looked at. The service
 * takes none of it.
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
  if (plainBase64.test(token) && /[+/=]/.test(token)) {
    found.add('it is in base64 with +, / or =; a JWT is in base64url, with - and _ and no padding')
    token = token.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }
  return { token, wrappings: [...found] }
}
