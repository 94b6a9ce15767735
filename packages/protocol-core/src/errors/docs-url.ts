/** Address of the documentation. It is not settled: it stands here alone. */
export const docsSite = 'https://service-link.github.io/service-link/'

/** Beginning of each address in the error index of the documentation. */
export const errorIndex = `${docsSite}errors#`

/**
 * Address of the entry of a code in the error index.
 *
 * @param code one of this project's codes, which the index has all
 */
export function docsUrlOf(code: string): string {
  return errorIndex + code.toLowerCase()
}
