import { ServiceLinkError } from '../errors/service-link-error.ts'
import {
  type DateOrder,
  type DateStyle,
  dateStyleOf,
  dateWordsOf,
  foldWord,
  splitWords,
} from './date-style.ts'

let foundCulture: string | undefined

/** The culture of this machine, as the JavaScript engine found it when it started; asking again costs nothing. */
export function machineCulture(): string {
  foundCulture ??= new Intl.DateTimeFormat().resolvedOptions().locale
  return foundCulture
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

/** A time of the day behind a date, with or without an offset from UTC. */
const isoTime =
  /^(\s*\d{4}-\d{2}-\d{2})(?:[Tt]|\s)(?:[01]\d|2[0-3]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?\s?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?\s*$/

/** Longest text that is read as a date, in UTF-16 code units. */
const maxDateLength = 100

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
 * The month may also be an English name or the culture's, long or short. A time behind the date is dropped, with its
 * offset: the written date counts.
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
 * parseDate('3 April 1980 00:00:00', 'nb-NO') // '1980-04-03'
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

/** Takes off the time behind an ISO 8601 date, such as `T00:00:00Z`. */
export function withoutIsoTime(text: string): string {
  return isoTime.exec(text)?.[1] ?? text
}

/**
 * Like {@link parseDate}, without throwing.
 *
 * @param given BCP 47 tag. Default: the machine's culture
 */
export function readDate(text: string, given?: string): DateReading {
  const isLong = text.length > maxDateLength
  const iso = isLong ? '' : withoutIsoTime(text)
  // Without asking for a culture: the first question loads 7 MB of languages.
  if (isoDate.test(iso)) return readIsoBirthDate(iso)
  const culture = given ?? machineCulture()
  const style = dateStyleOf(culture)
  const unclear = {
    problem: `must be written YYYY-MM-DD, or ${describe(style.order)} as the culture ${culture} has it`,
  }
  if (isLong) return unclear
  const written = asciiDigits(text, style).trim()
  const inNumbers = numbersOf(written, style)
  const day = inNumbers ? written : withoutTime(written, culture)
  if (isoDate.test(day)) return readIsoBirthDate(day)
  const parts = inNumbers ?? numbersOf(day, style) ?? wordsOf(day, culture)
  if (!parts) return unclear
  const year = style.isBuddhist && parts.year >= 2400 ? parts.year - 543 : parts.year
  return isGregorianYear(year) ? existingDate(year, parts.month, parts.day) : { problem: otherCalendar }
}

type DateParts = Readonly<Record<DateOrder[number], number>>

/** Reads a date in numbers. */
function numbersOf(text: string, style: DateStyle): DateParts | undefined {
  const numbers = withoutSuffix(text, style).split(/\s*[./\-\s]\s*/)
  const found = new Map(style.order.map((part, index) => [part, numbers[index] ?? '']))
  const [year = '', month = '', day = ''] = [found.get('year'), found.get('month'), found.get('day')]
  const isDate = numbers.length === 3 && fourDigits.test(year) && twoDigits.test(month) && twoDigits.test(day)
  return isDate ? { year: Number(year), month: Number(month), day: Number(day) } : undefined
}

const fourDigits = /^\d{4}$/
const twoDigits = /^\d{1,2}$/

/** Reads a date with the name of its month. No order is needed: the year alone has four digits. */
function wordsOf(text: string, culture: string): DateParts | undefined {
  const { months, between } = dateWordsOf(culture)
  const words = splitWords(text)
  const others = words.filter(word => !months.has(word) && !between.has(word))
  const names = words.filter(word => months.has(word))
  const month = months.get(names[0] ?? '')
  const year = others.find(word => fourDigits.test(word))
  const day = others.find(word => twoDigits.test(word))
  if (names.length !== 1 || others.length !== 2 || month === undefined) return undefined
  return year === undefined || day === undefined ? undefined : { year: Number(year), month, day: Number(day) }
}

/** Takes off a time behind a date: `12:00:00 AM`, `00.00.00`, `T00:00`, `0:00 +02:00`, with the culture's words for the halves of the day. */
function withoutTime(text: string, culture: string): string {
  const [, date, before = '', after = ''] = timeBehind.exec(text) ?? []
  const { halves, between } = dateWordsOf(culture)
  const isTime = [before, after]
    .map(foldWord)
    .every(word => word === '' || halves.has(word) || between.has(word))
  return date !== undefined && isTime ? date : text
}

const timeBehind =
  /^(.*?[^\s,])(?:,?\s+|t)(?:(\p{L}[\p{L}\p{M}.\s]*?)\s*)?(?:[01]?\d|2[0-4])(?:[:.][0-5]\d){1,2}(?:[.,]\d{1,9})?\s*(\p{L}[\p{L}\p{M}.\s]*)?(?:[+-]\d{2}:\d{2})?$/iu

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

/** Names the order in a problem. */
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
