/** Gender as the service keeps it. */
export type Gender = 'female' | 'male'

/**
 * Reads `female`, `male`, `F` or `M` in any case (specification 4.5).
 *
 * @returns the gender, or `undefined` when the text is another word
 */
export function parseGender(text: string): Gender | undefined {
  switch (text.trim().toLowerCase()) {
    case 'f':
    case 'female':
      return 'female'
    case 'm':
    case 'male':
      return 'male'
    default:
      return undefined
  }
}
