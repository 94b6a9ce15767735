import { assertParameter } from '@service-link/protocol-core'

/**
 * Brings a national identity number into the form in which two are compared: without white space, hyphens, dots and slashes,
 * in capitals. A plus sign stays: in Sweden and Finland it tells a century.
 *
 * @param text as it was sent, typed or issued
 * @returns `undefined` for what cannot be an identity number: fewer than 6 digits, over 32 characters, other characters
 * @example
 * ```ts
 * import { normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
 *
 * normalizeIdentityNumber('131052-308t') // '131052308T'
 * ```
 */
export function normalizeIdentityNumber(text: string): string | undefined {
  assertParameter('text', text, 'text')
  if (text.length > 128) return undefined
  const bare = text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Dash_Punctuation}./]/gu, '')
    .toUpperCase()
  const digits = bare.replaceAll(/\D/g, '').length
  return /^[0-9A-Z+]{6,32}$/.test(bare) && digits >= 6 ? bare : undefined
}

/**
 * What a contact's `ssn` is compared by: the number, or the very text where it cannot be one.
 *
 * @returns `undefined` for a text without a digit, such as `unknown`: it is the number of nobody
 */
export function comparableSsn(ssn: string): string | undefined {
  assertParameter('ssn', ssn, 'text')
  return normalizeIdentityNumber(ssn) ?? (/\d/.test(ssn) ? ssn : undefined)
}
