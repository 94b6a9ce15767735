import { ServiceLinkError } from '../errors/service-link-error.ts'
import { type DateOrder, dateOrderOf } from './date-order.ts'

/** A text that is not a date, or not one that exists. The message never holds the text. */
export class DateError extends ServiceLinkError<'ERR_DATE'> {
  readonly code = 'ERR_DATE'
  /** What was expected, as a clause: `must be …`. */
  readonly problem: string

  constructor(problem: string) {
    super(`The date ${problem}.`)
    this.problem = problem
  }
}

/**
 * Reads a calendar date as ISO 8601, `YYYY-MM-DD`.
 *
 * @returns the same date, without surrounding white space
 * @throws {DateError} when it is another format or a day that does not exist
 */
export function parseIsoDate(text: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim())
  if (!match) throw new DateError('must be written YYYY-MM-DD')
  return existingDate(Number(match[1]), Number(match[2]), Number(match[3]))
}

/**
 * Reads a calendar date as ISO 8601 and, if that fails, in the order that a culture writes year, month and day
 * (specification 4.3). Day and month are never told apart by their values; a year has four digits.
 *
 * @param culture BCP 47 tag, such as `nb-NO` or `en-US`
 * @returns the date as `YYYY-MM-DD`
 * @throws {DateError} when it fits neither, or is a day that does not exist
 * @example
 * ```ts
 * import { parseDate } from '@service-link/protocol-core'
 *
 * parseDate('03/04/1980', 'en-US') // '1980-03-04'
 * parseDate('03.04.1980', 'nb-NO') // '1980-04-03'
 * ```
 */
export function parseDate(text: string, culture: string): string {
  const trimmed = text.trim()
  if (/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return parseIsoDate(trimmed)
  const order = dateOrderOf(culture)
  const numbers = trimmed.replace(/\.$/, '').split(/\s*[./\-\s]\s*/)
  if (
    numbers.length !== 3 ||
    !numbers.every((part, index) => digitsFit(part, order[index] as DateOrder[number]))
  )
    throw new DateError(`must be written YYYY-MM-DD, or ${describe(order)} as the culture ${culture} has it`)
  const value = (part: DateOrder[number]) => Number(numbers[order.indexOf(part)])
  return existingDate(value('year'), value('month'), value('day'))
}

function digitsFit(part: string, field: DateOrder[number]): boolean {
  return field === 'year' ? /^\d{4}$/.test(part) : /^\d{1,2}$/.test(part)
}

function describe(order: DateOrder): string {
  const letters = { year: 'YYYY', month: 'MM', day: 'DD' }
  return order.map(part => letters[part]).join('.')
}

function existingDate(year: number, month: number, day: number): string {
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  if (
    year < 1 ||
    date.getUTCFullYear() !== year ||
    date.getUTCMonth() !== month - 1 ||
    date.getUTCDate() !== day
  )
    throw new DateError('must be a day that exists')
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
