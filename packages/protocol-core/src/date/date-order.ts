/** The order in which a culture writes a date. */
export type DateOrder = readonly ('year' | 'month' | 'day')[]

const orders = new Map<string, DateOrder>()

/**
 * Tells in which order a culture writes year, month and day in its short date.
 *
 * @param culture BCP 47 tag; one that is not a tag counts as `und`, whose order is year, month, day
 */
export function dateOrderOf(culture: string): DateOrder {
  let order = orders.get(culture)
  if (!order) {
    order = readOrder(culture)
    orders.set(culture, order)
  }
  return order
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

function readOrder(culture: string): DateOrder {
  const fallback: DateOrder = ['year', 'month', 'day']
  if (!isCulture(culture) || culture === 'und') return fallback
  const parts = new Intl.DateTimeFormat(culture, { dateStyle: 'short', calendar: 'gregory' }).formatToParts(0)
  const order = parts
    .map(part => part.type)
    .filter(type => type === 'year' || type === 'month' || type === 'day')
  return order.length === 3 ? (order as DateOrder) : fallback
}
