import { ServiceLinkError } from '../errors/service-link-error.ts'

/** The order in which a culture writes a date. */
type DateOrder = readonly ('year' | 'month' | 'day')[]

/** How a culture writes a date in numbers. */
interface DateStyle {
  readonly order: DateOrder
  /** Text after the last number, such as a final dot or a Bulgarian `г.`; may be empty. */
  readonly suffix: string
  /** The culture's own digits, 0 to 9, where they are not the ASCII ones. */
  readonly digits: readonly string[] | undefined
  /** Whether its calendar counts years from 543 before the common era. */
  readonly isBuddhist: boolean
}

const styles = new Map<string, DateStyle>()

const isoStyle: DateStyle = {
  order: ['year', 'month', 'day'],
  suffix: '',
  digits: undefined,
  isBuddhist: false,
}

/**
 * Tells how a culture writes its short date.
 *
 * @param culture BCP 47 tag; one that is not a tag counts as `und`, whose order is year, month, day
 */
function dateStyleOf(culture: string): DateStyle {
  let style = styles.get(culture)
  if (!style) {
    style = readStyle(culture)
    styles.set(culture, style)
  }
  return style
}

let foundCulture: string | undefined

/** The culture of this machine, as the JavaScript engine found it when it started; asking again costs nothing. */
export function machineCulture(): string {
  foundCulture ??= new Intl.DateTimeFormat().resolvedOptions().locale
  return foundCulture
}

/** Whether a text is a well-formed BCP 47 tag. */
export function isCulture(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

function readStyle(culture: string): DateStyle {
  if (!isCulture(culture) || culture === 'und') return isoStyle
  const format = new Intl.DateTimeFormat(culture, {
    dateStyle: 'short',
    calendar: 'gregory',
    timeZone: 'UTC',
  })
  const parts = format.formatToParts(0)
  const last = parts.at(-1)
  const order = parts
    .map(part => part.type)
    .filter(type => type === 'year' || type === 'month' || type === 'day')
  return {
    order: order.length === 3 ? order : isoStyle.order,
    suffix: last?.type === 'literal' ? last.value.trim() : '',
    digits: readDigits(culture),
    isBuddhist: new Intl.DateTimeFormat(culture).resolvedOptions().calendar === 'buddhist',
  }
}

function readDigits(culture: string): readonly string[] | undefined {
  const format = new Intl.NumberFormat(culture, { useGrouping: false })
  const digits = Array.from({ length: 10 }, (_, digit) => format.format(digit))
  return digits[0] === '0' ? undefined : digits
}

/** A text that is not a date, or not one that exists. The message never holds the text. */
export class DateError extends ServiceLinkError<'ERR_DATE'> {
  readonly code = 'ERR_DATE'
  /** The expectation, as a clause: `must be …`. */
  readonly problem: string

  constructor(problem: string) {
    super(`The date ${problem}.`)
    this.problem = problem
  }
}

const isoDate = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/

const otherCalendar = 'must have a year of the Gregorian calendar, 1700 to 2399'

/** A date that was read, or why it could not be. */
type DateReading =
  | { readonly date: string; readonly problem?: undefined }
  | { readonly date?: undefined; readonly problem: string }

/**
 * Reads a calendar date as ISO 8601, `YYYY-MM-DD`.
 *
 * @returns the same date, without surrounding white space
 * @throws {DateError} when it is another format or a day that does not exist
 */
export function parseIsoDate(text: string): string {
  return dateOrThrow(readIsoDate(text))
}

/**
 * Reads a date of birth as ISO 8601 and, if that fails, in the order that a culture writes year, month and day
 * ([specification 4.3](https://github.com/service-link/service-link/blob/main/docs/reference/command-line.md)). Day and month are never told apart by their values; a year has four digits. Between the numbers
 * stands a dot, slash, hyphen or space, behind them a dot or what the culture writes there; the culture's own digits
 * count as well as 0 to 9. Where the culture's calendar is the Buddhist one, a year from 2400 is of that calendar, other
 * than in ISO 8601. The year is one from 1700 to 2399.
 *
 * @param culture BCP 47 tag, such as `nb-NO` or `en-US`
 * @returns the date as `YYYY-MM-DD`
 * @throws {DateError} when it fits neither, is a day that does not exist, or has a year outside of that range
 * @example
 * ```ts
 * import { parseDate } from '@service-link/protocol-core'
 *
 * parseDate('03/04/1980', 'en-US') // '1980-03-04'
 * parseDate('03.04.1980', 'nb-NO') // '1980-04-03'
 * ```
 */
export function parseDate(text: string, culture: string): string {
  return dateOrThrow(readDate(text, culture))
}

/** Like {@link parseIsoDate}, without throwing. */
export function readIsoDate(text: string): DateReading {
  const match = isoDate.exec(text)
  if (!match) return { problem: 'must be written YYYY-MM-DD' }
  return existingDate(Number(match[1]), Number(match[2]), Number(match[3]))
}

/** Reads a date of birth as ISO 8601, `YYYY-MM-DD`: like {@link parseIsoDate} within the years of {@link parseDate}. */
export function readIsoBirthDate(text: string): DateReading {
  const [, year] = isoDate.exec(text) ?? []
  return year !== undefined && !isGregorianYear(Number(year)) ? { problem: otherCalendar } : readIsoDate(text)
}

/** Like {@link parseDate}, without throwing. */
export function readDate(text: string, culture: string): DateReading {
  if (isoDate.test(text)) return readIsoBirthDate(text)
  const style = dateStyleOf(culture)
  const numbers = withoutSuffix(asciiDigits(text, style).trim(), style).split(/\s*[./\-\s]\s*/)
  const { year, month, day } = assign(numbers, style.order)
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day))
    return {
      problem: `must be written YYYY-MM-DD, or ${describe(style.order)} as the culture ${culture} has it`,
    }
  const gregorianYear = style.isBuddhist && Number(year) >= 2400 ? Number(year) - 543 : Number(year)
  if (!isGregorianYear(gregorianYear)) return { problem: otherCalendar }
  return existingDate(gregorianYear, Number(month), Number(day))
}

/** A year of another calendar, such as the Persian 1359 or the Buddhist 2523, must not pass for one of this calendar. */
function isGregorianYear(year: number): boolean {
  return year >= 1700 && year <= 2399
}

function dateOrThrow({ date, problem }: DateReading): string {
  if (date === undefined) throw new DateError(problem)
  return date
}

/** Replaces the culture's own digits, and drops the marks of writing direction that stand between them. */
function asciiDigits(text: string, { digits }: DateStyle): string {
  if (!digits) return text
  return [...text.replace(/[\u061c\u200e\u200f]/g, '')]
    .map(character => {
      const digit = digits.indexOf(character)
      return digit < 0 ? character : String(digit)
    })
    .join('')
}

/** Takes off what the culture writes behind the last number, or a final dot. */
function withoutSuffix(text: string, { suffix }: DateStyle): string {
  return suffix !== '' && text.endsWith(suffix)
    ? text.slice(0, -suffix.length).trimEnd()
    : text.replace(/\.$/, '')
}

function assign(numbers: readonly string[], order: DateOrder): { year: string; month: string; day: string } {
  const parts = { year: '', month: '', day: '' }
  if (numbers.length === order.length)
    for (const [index, part] of order.entries()) parts[part] = numbers[index] ?? ''
  return parts
}

function describe(order: DateOrder): string {
  const letters = { year: 'YYYY', month: 'MM', day: 'DD' }
  return order.map(part => letters[part]).join('.')
}

function existingDate(year: number, month: number, day: number): DateReading {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month))
    return { problem: 'must be a day that exists' }
  return {
    date: `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
  }
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
