import { isKnownCulture } from './machine-culture.ts'

/** The order in which a culture writes a date. */
export type DateOrder = readonly ('year' | 'month' | 'day')[]

/** How a culture writes a date. */
export interface DateStyle {
  /** Unknown for `und`, and for a culture that the engine does not know. */
  readonly order: DateOrder | undefined
  /** Text after the last number, such as a final dot or a Bulgarian `г.`; may be empty. */
  readonly suffix: string
  /** The culture's own digits, 0 to 9, where they are not the ASCII ones. */
  readonly digits: readonly string[] | undefined
  /** Whether its calendar counts years from 543 before the common era. */
  readonly isBuddhist: boolean
}

/** The words of a language's dates and times, in lower case. */
export interface DateWords {
  /** Long and short name, without a dot → month, 1 to 12. */
  readonly months: ReadonlyMap<string, number>
  /** Word of a weekday's name → the weekdays that have it, 0 for Sunday: Portuguese ones have two, of which five share `feira`. */
  readonly weekdays: ReadonlyMap<string, ReadonlySet<number>>
  /** Words between the parts of a date, such as the Spanish `de`, and before a time, such as the Danish `kl`. */
  readonly between: ReadonlySet<string>
  /** Words for the halves of the day, without dots and blanks. */
  readonly halves: ReadonlySet<string>
}

const noStyle: DateStyle = {
  order: undefined,
  suffix: '',
  digits: undefined,
  isBuddhist: false,
}

/** Makes a function that reads something of a culture once. */
function onceEach<Value>(read: (culture: string) => Value): (culture: string) => Value {
  const known = new Map<string, Value>()
  return culture => {
    const value = known.get(culture) ?? read(culture)
    known.set(culture, value)
    return value
  }
}

/**
 * Tells how a culture writes its short date.
 *
 * @param culture BCP 47 tag; a text that is no tag, or one that the engine does not know, counts as `und`
 */
export const dateStyleOf = /* @__PURE__ */ onceEach(readStyle)

/** Tells the words of a culture's dates and times, with those of English. */
export const dateWordsOf = /* @__PURE__ */ onceEach((culture: string) =>
  // The culture comes last: its names of months win.
  readWords(isKnownCulture(culture) ? ['en', culture] : ['en']),
)

/** Tells the words of each widespread language that the engine knows and that writes a day, a month's name and a year apart. */
export function wordsOfLanguages(): readonly DateWords[] {
  knownWords ??= Intl.DateTimeFormat.supportedLocalesOf(languages.split(' ')).map(one => readWords([one]))
  return knownWords
}

let knownWords: readonly DateWords[] | undefined

const languages =
  'af az be bg bs ca cs cy da de el en en-GB es es-MX et fi fil fo fr fr-CA ga gl hr hu hy id is it ja ka kk ko lb lt lv mk ms mt nb nl nn pl pt ro ru se sk sl sq sr sr-Latn sv sw tr uk uz zh zh-Hant'

const utc = { calendar: 'gregory', timeZone: 'UTC' } as const

function readStyle(culture: string): DateStyle {
  if (!isKnownCulture(culture)) return noStyle
  const format = new Intl.DateTimeFormat(culture, { ...utc, dateStyle: 'short' })
  const parts = format.formatToParts(0)
  const last = parts.at(-1)
  const order = parts
    .map(part => part.type)
    .filter(type => type === 'year' || type === 'month' || type === 'day')
  return {
    order: order.length === 3 ? order : undefined,
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

function readWords(cultures: readonly string[]): DateWords {
  const months = new Map<string, number>()
  const weekdays = new Map<string, Set<number>>()
  const between = new Set<string>()
  const halves = new Set(['am', 'pm'])
  for (const one of cultures)
    for (const length of ['long', 'short'] as const) {
      const plain = { ...utc, day: 'numeric', month: length, year: 'numeric' } as const
      // A name may change its form within a date.
      const formats = [
        { ...utc, month: length },
        plain,
        { ...plain, weekday: length },
        { ...utc, dateStyle: length === 'long' ? 'full' : 'medium', timeStyle: 'short' } as const,
        { ...utc, dateStyle: 'long', timeStyle: 'short' } as const,
      ].map(options => new Intl.DateTimeFormat(one, options))
      const partsOf = (time: number) => formats.flatMap(format => format.formatToParts(time))
      for (let index = 0; index < 12; index++)
        // A number is no name: it could be a day.
        for (const { type, value } of partsOf(Date.UTC(2000, index, 15))) {
          if (type === 'month' && !/\d/.test(value)) months.set(foldWord(value), index + 1)
          if (type === 'literal') for (const word of splitWords(value)) between.add(word)
        }
      for (let weekday = 0; weekday < 7; weekday++)
        for (const { type, value } of partsOf(sunday + weekday * 86_400_000))
          if (type === 'weekday')
            for (const word of splitWords(value))
              weekdays.set(word, (weekdays.get(word) ?? new Set()).add(weekday))
      const clock = new Intl.DateTimeFormat(one, { ...utc, hour: 'numeric', hour12: true })
      for (const hour of [1, 13])
        for (const { type, value } of clock.formatToParts(hour * 3_600_000))
          if (type === 'dayPeriod') halves.add(foldWord(value))
    }
  return { months, weekdays, between, halves }
}

/** A Sunday. */
const sunday = Date.UTC(2000, 0, 2)
/** Takes case, dots and blanks away, which programs write in different ways: `a. m.` and `AM`. */
export function foldWord(word: string): string {
  return word.toLowerCase().replace(/[.\s]/g, '')
}

/** Splits what stands between blanks, dots, commas of any script, slashes and hyphens. */
export function splitWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s.,،、/-]+/)
    .filter(word => word !== '')
}
