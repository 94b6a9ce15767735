import { normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
import type { PersonChanges } from '../database/tables.ts'

/**
 * The identity number by which the consumer app finds a contact (specification 2.1, 5.1.5): its `ssn`. Where a contact has
 * none, its CustomId counts if it holds the contact's own date of birth: partners are asked to use the identity number as
 * their identifier, but any other identifier that happens to look like one must show nobody the workouts of somebody else.
 */
export function identityKeyOf(row: PersonChanges): string | null {
  if (row.ssn) return normalizeIdentityNumber(row.ssn) ?? null
  const { custom_id: customId, date_of_birth: dateOfBirth } = row
  if (!customId || !dateOfBirth) return null
  const number = normalizeIdentityNumber(customId)
  return number !== undefined && holdsDateOfBirth(number, dateOfBirth) ? number : null
}

/** Added to the day or the month in numbers of people without a permanent one, of other centuries and of test persons. */
const dayOffsets = [0, 40, 60]
const monthOffsets = [0, 20, 40, 60, 65, 80]

/** Whether 9 to 13 characters hold the date as national numbers do: day or year first, after a digit of the century at most. */
function holdsDateOfBirth(number: string, dateOfBirth: string): boolean {
  const [, century = '', year = '', month = '', day = ''] =
    /^(\d\d)(\d\d)-(\d\d)-(\d\d)$/.exec(dateOfBirth) ?? []
  if (number.length < 9 || number.length > 13 || day === '') return false
  return dayOffsets.some(dayOffset =>
    monthOffsets.some(monthOffset => {
      const shiftedDay = String(Number(day) + dayOffset).padStart(2, '0')
      const shiftedMonth = String(Number(month) + monthOffset).padStart(2, '0')
      if (shiftedMonth.length > 2) return false
      const dates = [shiftedDay + shiftedMonth + year, year + shiftedMonth + shiftedDay]
      return dates.some(date => [0, 1].includes(number.indexOf(date)) || number.startsWith(century + date))
    }),
  )
}
