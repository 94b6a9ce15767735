/** The order in which a culture writes a date. */
export type DateOrder = readonly ('year' | 'month' | 'day')[]

/** How a culture writes a date in numbers. */
export interface DateStyle {
  readonly order: DateOrder
  /** What the culture writes behind the last number, such as a final dot or a Bulgarian `г.`; empty where nothing. */
  readonly suffix: string
  /** The culture's own digits, 0 to 9, where they are not the ASCII ones. */
  readonly digits: readonly string[] | undefined
  /** Whether its calendar counts years from 543 before the common era. */
  readonly isBuddhist: boolean
}

const styles = new Map<string, DateStyle>()

/** Cultures come from configuration, yet a caller may pass any text: no more than these are remembered. */
const maxStyles = 64

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
export function dateStyleOf(culture: string): DateStyle {
  let style = styles.get(culture)
  if (!style) {
    style = readStyle(culture)
    if (styles.size >= maxStyles) styles.clear()
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
