/** One character, perhaps in an escape of a form or of JSON, or of two bytes as in UTF-16. Tokens are wrapped and padded, too. */
const character = String.raw`(?:[\w.\r\n-]|=(?==?\.)|%[\da-f]{2}|\\u[\da-f]{4}|\\[bfnrt"\\/]|\0)`
const runs = new RegExp(`${character}{8,}`, 'gi')

/**
 * Replaces signed tokens in a text. A signed token is a credential, also where a program gives one by mistake. It is known by its
 * header and its claims, JSON objects in base64url: so also when it is cut, escaped, or split over strings.
 */
export function hideTokens(text: string): string {
  const shown = text.replaceAll(runs, run => (holdsToken(plainOf(run)) ? hidden : run))
  // The signature of a token in JSON is a string of its own.
  return shown === text ? text : shown.replaceAll(/("signature\\?"\s*:\s*\\?")[\w-]+/gi, `$1${hidden}`)
}

const hidden = '(signed token)'

function plainOf(run: string): string {
  return run
    .replaceAll(/(?:%|\\u00)([\da-f]{2})/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\./g, ' ')
    .replaceAll('\0', '')
}

function holdsToken(text: string): boolean {
  const parts = text.split('.').map(part => part.split(/[^\w-]/))
  if (parts.flat().some(part => beginsObject(decode(part)))) return true
  // Other letters may precede a whole token.
  const headers = parts.slice(0, -2).map(part => part.at(-1) ?? '')
  return headers.some(part => [0, 1, 2, 3].some(skip => /\{[ \t\r\n]*"/.test(decode(part.slice(skip)))))
}

function decode(part: string): string {
  return Buffer.from(part, 'base64url').toString('latin1')
}

function beginsObject(text: string): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?[ \t\r\n]*\{[ \t\r\n]*(?:"|\}[ \t\r\n]*$)/.test(text)
}
