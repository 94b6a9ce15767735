import { normalizeIdentityNumber } from '@service-link/protocol-core/person'

const weights = [
  [3, 7, 6, 1, 8, 9, 4, 5, 2, 1, 0],
  [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1],
]

/** Day, month and year of a Norwegian number: a D-number adds 40 to the day, a synthetic one 40 or 80 to the month. */
function birthPart(bare: string): string {
  const [day = 0, month = 0] = [bare.slice(0, 2), bare.slice(2, 4)].map(Number)
  const plain = [day > 40 ? day - 40 : day, month > 80 ? month - 80 : month > 40 ? month - 40 : month]
  return plain.map(part => String(part).padStart(2, '0')).join('') + bare.slice(4, 6)
}

/** Whether a text is a Norwegian identity number or D-number: eleven digits, a date and two control digits. */
export function isNorwegianNumber(text: string): boolean {
  const bare = normalizeIdentityNumber(text) ?? ''
  if (!/^\d{11}$/.test(bare)) return false
  const [, day, month] = /^(\d\d)(\d\d)/.exec(birthPart(bare))?.map(Number) ?? []
  if (!day || day > 31 || !month || month > 12) return false
  const sums = weights.map(row => row.reduce((sum, weight, index) => sum + weight * Number(bare[index]), 0))
  return sums.every(sum => sum % 11 === 0)
}

/**
 * Says what looks wrong about an identity number. Numbers of other countries have other forms, so only eleven digits are
 * checked as a Norwegian one.
 *
 * @param dateOfBirth `YYYY-MM-DD`, or empty
 */
export function identityDoubt(text: string, dateOfBirth = ''): 'form' | 'digits' | 'birth' | undefined {
  if (text.trim() === '') return undefined
  const bare = normalizeIdentityNumber(text)
  if (bare === undefined) return 'form'
  if (!/^\d{11}$/.test(bare)) return undefined
  if (!isNorwegianNumber(bare)) return 'digits'
  const [year, month, day] = dateOfBirth.split('-')
  if (day !== undefined && `${day}${month}${year?.slice(2)}` !== birthPart(bare)) return 'birth'
  return undefined
}

/** The identity number without the digits that tell people of one birthday apart. */
export function maskIdentity(text: string): string {
  const bare = normalizeIdentityNumber(text) ?? ''
  return bare.length < 9 ? '••••••' : `${bare.slice(0, 6)} •••••`
}

interface Identifiers {
  readonly customId?: string | undefined
  readonly ssn?: string | undefined
}

/** A person's identifiers as they may be shown: a CustomId that is an identity number counts as one. */
export function identifiersOf({ customId, ssn }: Identifiers) {
  const number = normalizeIdentityNumber(customId ?? '')
  const isNumber =
    number !== undefined && (isNorwegianNumber(number) || number === normalizeIdentityNumber(ssn ?? ''))
  return {
    customId: isNumber ? undefined : customId,
    identityNumber: ssn ?? (isNumber ? customId : undefined),
  }
}
