import {
  type DateOrder,
  type DateStyle,
  type DateWords,
  dateStyleOf,
  dateWordsOf,
  foldWord,
  splitWords,
  wordsOfLanguages,
} from './date-style.ts'

/** Hours of an offset from UTC. */
export const hours = String.raw`[+-](?:0\d|1[0-4])`

/** Year, month and day as they stand in a text. Nobody has looked whether the day exists. */
export interface DateParts extends Readonly<Record<DateOrder[number], number>> {
  /** Whether the culture's order told day and month apart. */
  readonly isInOrder?: boolean
  /** Weekdays that stand beside the date. */
  readonly weekdays?: ReadonlySet<number>
}

const numbersWithYearFirst =
  /^(\d{4})\s*[./\-\s年년]\s*(\d{1,2})\s*[./\-\s月월]\s*(\d{1,2})(?:\s*[日일]\s*([\p{L}\p{M}]*))?$/u

/** Reads a date in numbers, and one of East Asia, where a word stands behind each number. */
export function numbersOf(text: string, style: DateStyle, culture: string): DateParts | undefined {
  const written = withoutSuffix(text, style)
  const [, ...first] = numbersWithYearFirst.exec(written) ?? []
  if (first.length > 0) {
    const [year = 0, month = 0, day = 0] = first.map(Number)
    const name = first[3]
    if (!name) return { year, month, day }
    const knows = ({ weekdays }: DateWords) => weekdays.has(name)
    const words = [dateWordsOf(culture)].find(knows) ?? wordsOfLanguages().find(knows)
    const weekdays = words?.weekdays.get(name)
    return weekdays && { year, month, day, weekdays }
  }
  const numbers = written.split(/\s*[./\-\s]\s*/)
  if (!style.order || numbers.length !== 3) return undefined
  const found = new Map(style.order.map((part, index) => [part, numbers[index] ?? '']))
  const [year = '', month = '', day = ''] = [found.get('year'), found.get('month'), found.get('day')]
  const isDate = fourDigits.test(year) && twoDigits.test(month) && twoDigits.test(day)
  return isDate ? { year: Number(year), month: Number(month), day: Number(day), isInOrder: true } : undefined
}

const fourDigits = /^\d{4}$/
const twoDigits = /^\d{1,2}$/

/** Reads a date with the name of its month. No order is needed: the year alone has four digits. */
export function wordsOf(text: string, { months, weekdays, between }: DateWords): DateParts | undefined {
  const words = splitWords(text)
  const isName = (word: string) => months.has(word) || weekdays.has(word)
  const others = words.filter(word => !isName(word) && !between.has(word))
  const year = others.find(word => fourDigits.test(word))
  const day = others.find(word => twoDigits.test(word))
  if (others.length !== 2 || year === undefined || day === undefined) return undefined
  const names = words.filter(isName)
  const fitting = names.flatMap((name, index) => {
    const month = months.get(name)
    const days = names.toSpliced(index, 1).map(other => weekdays.get(other))
    if (month === undefined || days.includes(undefined)) return []
    const date = { year: Number(year), month, day: Number(day) }
    const shared = [...(days[0] ?? [])].filter(weekday => days.every(some => some?.has(weekday)))
    return [days.length > 0 ? { ...date, weekdays: new Set(shared) } : date]
  })
  // A word such as the Italian mar is a month and a weekday. The weekday of the date tells which.
  return fitting.find(fallsOnItsWeekday) ?? fitting[0]
}

/** Reads a date with the name of its month, or with the year first and words of a time, in any language; `differ` if two languages read two dates. */
export function wordsOfAny(text: string): DateParts | 'differ' | undefined {
  // The languages take a tenth of a second to load.
  if (!hasYear.test(text) || !/\p{L}{2}/u.test(text)) return undefined
  const found = wordsOfLanguages().flatMap(words => {
    const day = withoutTime(text, words)
    return wordsOf(day, words) ?? numbersOf(day, dateStyleOf('und'), 'und') ?? []
  })
  const dates = new Set(found.map(({ year, month, day }) => [year, month, day].join('-')))
  return dates.size > 1 ? 'differ' : (found.find(fallsOnItsWeekday) ?? found[0])
}

const hasYear = /(?<!\d)\d{4}(?!\d)/

/** Whether a date falls on a weekday that stands beside it, if one does. */
export function fallsOnItsWeekday({ year, month, day, weekdays }: DateParts): boolean {
  return !weekdays || weekdays.has(new Date(Date.UTC(year, month - 1, day)).getUTCDay())
}

/** Takes off a time behind a date: `12:00:00 AM`, `00.00.00`, `T00:00`, `0:00 +02:00`, with the language's words for the halves of the day; and an offset behind a date with the year first. */
export function withoutTime(text: string, { halves, between }: DateWords): string {
  const [, day] = offsetBehind.exec(text) ?? []
  if (day !== undefined) return day
  const [, date, before = '', after = ''] = timeBehind.exec(text) ?? []
  const isOfTime = (word: string) => word === '' || halves.has(word) || between.has(word) || zones.has(word)
  if (date === undefined || !isOfTime(foldWord(after))) return text
  if (isOfTime(foldWord(before))) return date
  // What stands before the time may begin with the end of the date, such as a weekday.
  const words = before.split(/\s+/)
  return [date, ...words.slice(0, words.findLastIndex(word => !isOfTime(foldWord(word))) + 1)].join(' ')
}

const offsetBehind = /* @__PURE__ */ new RegExp(
  String.raw`^(\d{4}\s*[./\-\s]\s*\d{1,2}\s*[./\-\s]\s*\d{1,2}\.?)\s?(?:Z|UTC|GMT|UT|${hours}:?[0-5]\d)$`,
  'i',
)

/** Words for UTC behind a time. */
const zones = new Set(['z', 'gmt', 'utc', 'ut'])

const timeBehind =
  /^(.*?[^\s,])(?:,?\s+|t)(?:(\p{L}[\p{L}\p{M}.\s]*?)\s*)?(?:(?:[01]?\d|2[0-3])(?:[:.][0-5]\d){1,2}|24(?:[:.]00){1,2})(?:[.,]\d{1,9})?\s*(\p{L}[\p{L}\p{M}.\s]*)?(?:[+-]\d{2}(?::?\d{2})?)?(?:\s*\([\p{L}\p{M}\s]+\))?$/iu

/** Takes off what the culture writes behind the last number, or a final dot. */
function withoutSuffix(text: string, { suffix }: DateStyle): string {
  return suffix !== '' && text.endsWith(suffix)
    ? text.slice(0, -suffix.length).trimEnd()
    : text.replace(/\.$/, '')
}
