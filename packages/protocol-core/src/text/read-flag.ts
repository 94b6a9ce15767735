/**
 * Reads `true`, `false`, `1` or `0` in any case and with white space around it.
 *
 * @param whenEmpty what absent and empty text mean
 * @returns the flag, or `undefined` when the text is another word
 */
export function readFlag(text: string | undefined, whenEmpty: boolean): boolean | undefined {
  switch (text?.trim().toLowerCase() ?? '') {
    case '':
      return whenEmpty
    case 'true':
    case '1':
      return true
    case 'false':
    case '0':
      return false
    default:
      return undefined
  }
}
