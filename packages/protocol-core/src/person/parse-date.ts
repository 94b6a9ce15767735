import { defineError } from '../errors/define-error.ts'
import { fallsOnItsWeekday, hours, numbersOf, withoutTime, wordsOf, wordsOfAny } from './date-parts.ts'
import { type DateOrder, type DateStyle, dateStyleOf, dateWordsOf } from './date-style.ts'
import { machineCulture } from './machine-culture.ts'

/**
 * A text that is not a date, or not one that exists. The message never holds the text.
 *
 * @remedy Write dates as `yyyy-mm-dd`, or as the culture of the reader writes them.
 * @retry no
 * @seenBy partner's developer
 */
export class DateError extends defineError('ERR_DATE', (problem: string) => ({
  message: `The date ${problem}.`,
  /** The expectation, as a clause: `must be …`. */
  problem,
})) {}

/** A time of the day in ISO 8601; 24:00 is its end. */
const isoTime = String.raw`(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?|24:00(?::00(?:[.,]0{1,9})?)?)`
const isoDate = /* @__PURE__ */ new RegExp(
  String.raw`^\s*(\d{4})-(\d{2})-(\d{2})(?:(?:[Tt]|\s)${isoTime}\s?(?:[Zz]|${hours}(?::?[0-5]\d)?)?|\s?(?:[Zz]|${hours}:?[0-5]\d))?\s*$`,
)

/** Longest text that is read as a date, in UTF-16 code units. */
const maxDateLength = 100

const unwritten = 'must be written YYYY-MM-DD'
const otherCalendar = 'must have a year of the Gregorian calendar, 1700 to 2399'

/**
 * Values that programs write for no date: the least of SQL Server's `datetime`, day 0 of OLE and Delphi, and the default of
 * SQL Server. Nobody alive was born on them. The year 1, the least of .NET, and MySQL's zeros count as well. As the number YYYYMMDD.
 */
const noDates: readonly number[] = [0, 1753_01_01, 1899_12_30, 1900_01_01]

const noDate = { problem: 'is a value that means no date', isAbsent: true } as const

/** How a culture decided which number is the day and which the month. */
export interface CultureDecision {
  readonly culture: string
  /** Such as `DD.MM.YYYY`. */
  readonly order: string
}

/** A date that was read, or why it could not be. */
export type DateReading =
  | {
      readonly date: string
      readonly problem?: undefined
      /** Present if another culture could have exchanged day and month. */
      readonly decided?: CultureDecision | undefined
      readonly isAbsent?: undefined
    }
  | {
      readonly date?: undefined
      readonly problem: string
      /** The value means that there is no date: a reader takes it as one that was not sent. */
      readonly isAbsent?: true | undefined
      readonly decided?: undefined
    }

/**
 * Reads a calendar date as ISO 8601, `YYYY-MM-DD`. A time or an offset behind it does not count.
 *
 * @returns the date, without what surrounds it
 * @throws {DateError} when it is another format or a day that does not exist
 */
export function parseIsoDate(text: string): string {
  return dateOrThrow(readIsoDate(text))
}

/**
 * Reads a date of birth (spec 4.3): as ISO 8601; else with the year first; else in the order in which a culture
 * writes day and month; else with the name of the month. Day and month are never told apart by their values; a year has four
 * digits. Between the numbers stands a dot, slash, hyphen or space, behind them a dot or what the culture writes there; the
 * culture's own digits count as well as 0 to 9. Where the culture's calendar is the Buddhist one, a year from 2400 is of that
 * calendar, other than in ISO 8601. The year is one from 1700 to 2399.
 *
 * The names of months and weekdays are the culture's or English, long or short; else those of a widespread language, if all such
 * languages that can read the text read the same date. A weekday must be that of the date. A time or an offset behind the date is
 * dropped: the written date counts.
 *
 * @param culture BCP 47 tag, such as `nb-NO` or `en-US`; for `und`, and for one that the engine does not know, no order of day
 *   and month is taken
 * @returns the date as `YYYY-MM-DD`
 * @throws {DateError} when it fits none of these, is a day that does not exist, has a year outside of that range, or is a value
 *   that means no date (1899-12-30, 1900-01-01, 1753-01-01, any of the year 1)
 * @example
 * ```ts
 * import { parseDate } from '@service-link/protocol-core'
 *
 * parseDate('03/04/1980', 'en-US') // '1980-03-04'
 * parseDate('03.04.1980', 'nb-NO') // '1980-04-03'
 * parseDate('Thu, 03 Apr 1980 00:00:00 GMT', 'nb-NO') // '1980-04-03'
 * ```
 */
export function parseDate(text: string, culture: string): string {
  return dateOrThrow(readDate(text, culture))
}

/** Like {@link parseIsoDate}, without throwing. */
export function readIsoDate(text: string): DateReading {
  const match = isoDate.exec(text)
  if (!match) return { problem: unwritten }
  return existingDate(Number(match[1]), Number(match[2]), Number(match[3]))
}

/**
 * Reads a date of birth that a program writes: `YYYY-MM-DD` and nothing else, within the years of {@link parseDate}. A value that means
 * no date is a problem: the program leaves it out.
 */
export function readWrittenBirthDate(text: string): DateReading {
  const reading = /^\d{4}-\d{2}-\d{2}$/.test(text) ? readIsoBirthDate(text) : undefined
  return reading?.date === undefined ? { problem: reading?.problem ?? unwritten } : reading
}

function readIsoBirthDate(text: string): DateReading | undefined {
  const match = isoDate.exec(text)
  return match ? birthDate(Number(match[1]), Number(match[2]), Number(match[3])) : undefined
}

/** Reads a date of birth without a culture: like {@link readDate}, with the sentence for a sender whose culture never counts. */
export function readPlainDate(text: string): DateReading {
  const reading = readDate(text, 'und')
  return reading.problem?.startsWith(unwritten) ? { problem: unwritten } : reading
}

/**
 * Like {@link parseDate}, without throwing.
 *
 * @param given BCP 47 tag. Default: the machine's culture
 */
export function readDate(text: string, given?: string): DateReading {
  const isLong = text.length > maxDateLength
  // Without asking for a culture: the first question loads 7 MB of languages.
  const iso = isLong ? undefined : readIsoBirthDate(text)
  if (iso) return iso
  const culture = given ?? machineCulture()
  const style = dateStyleOf(culture)
  const order = style.order && describe(style.order)
  const unread = {
    problem: order ? `${unwritten}, or ${order} as the culture ${culture} has it` : unwritten,
  }
  if (isLong) return unread
  const written = asciiDigits(text, style).trim()
  const inNumbers = numbersOf(written, style, culture)
  const words = dateWordsOf(culture)
  const day = inNumbers ? written : withoutTime(written, words)
  const exchangeable = readYearLast(day)
  const again = readIsoBirthDate(day) ?? exchangeable.find(reading => reading === noDate)
  if (again) return again
  const parts = inNumbers ?? numbersOf(day, style, culture) ?? wordsOf(day, words) ?? wordsOfAny(written)
  if (parts === 'differ') return { problem: `${unwritten}: the name of the month differs between languages` }
  if (!parts && !order && exchangeable.length > 0)
    // Day and month are to blame only if there is a date that they could be of.
    return exchangeable.some(({ date }) => date !== undefined) ? unordered : (exchangeable[0] ?? unread)
  if (!parts) return unread
  const year = style.isBuddhist && parts.year >= 2400 ? parts.year - 543 : parts.year
  const reading = birthDate(year, parts.month, parts.day)
  if (reading.date === undefined) return reading
  if (!fallsOnItsWeekday({ ...parts, year }))
    return { problem: 'must fall on the weekday that stands beside it' }
  const isDecided = order && parts.isInOrder && parts.month !== parts.day && parts.day <= 12
  return isDecided ? { ...reading, decided: { culture, order } } : reading
}

const unordered = {
  problem: `${unwritten}: neither the setting Culture nor LC_ALL, LC_TIME or LANG tells whether the day or the month comes first`,
} as const

/** Reads numbers with the year last, with the month first and with the day first; nothing if there are no such numbers. */
function readYearLast(text: string): readonly DateReading[] {
  const [, one, other, year] =
    /^(\d{1,2})[./\-\s]+(\d{1,2})[./\-\s]+(\d{4})\.?$/.exec(text)?.map(Number) ?? []
  if (one === undefined || other === undefined || year === undefined) return []
  return [birthDate(year, one, other), birthDate(year, other, one)]
}

/** A year of another calendar, such as the Persian 1359 or the Buddhist 2523, must not pass for one of this calendar. */
function isGregorianYear(year: number): boolean {
  return year >= 1700 && year <= 2399
}

function birthDate(year: number, month: number, day: number): DateReading {
  if (year === 1 || noDates.includes(year * 10_000 + month * 100 + day)) return noDate
  return isGregorianYear(year) ? existingDate(year, month, day) : { problem: otherCalendar }
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

/** Names the order in a problem. */
function describe(order: DateOrder): string {
  const letters = { year: 'YYYY', month: 'MM', day: 'DD' }
  return order.map(part => letters[part]).join('.')
}

function existingDate(year: number, month: number, day: number): DateReading {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month))
    return { problem: 'must be a day that exists' }
  return { date: `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}` }
}

function digits(number: number, count: number): string {
  return String(number).padStart(count, '0')
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
