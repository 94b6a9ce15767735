/** Characters in a row, of the token's alphabet, that two texts do not have in common by chance. */
const runLength = 16

/**
 * Whether a text that somebody else wrote holds a part of a token, also one that is cut, or broken into lines; or begins
 * another one.
 *
 * @param text bounded by the caller
 * @param token compact JWT
 */
export function holdsTokenText(text: string, token: string): boolean {
  // How each header and most claims begin: `{"` in base64url.
  if (text.includes(token) || text.includes('eyJ')) return true
  const within = lettersOf(text)
  const whole = lettersOf(token)
  for (let start = 0; start + runLength <= within.length; start++)
    if (whole.includes(within.slice(start, start + runLength))) return true
  return false
}

/** Only the characters of base64url. */
function lettersOf(text: string): string {
  return text.replace(/[^\w-]+/g, '')
}
