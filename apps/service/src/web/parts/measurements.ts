import type { StoredPerson } from '../api/queries.ts'
import { localDay } from './format.ts'

type Entry = NonNullable<StoredPerson['profileData']>[number]

/** One measurement of a patient. Texts are as they were sent; a missing one is empty. */
export interface Measurement {
  readonly name: string
  readonly value: string
  readonly unit: string
  readonly source: string
  readonly description: string
  readonly date: MeasurementDate
  /** Members of the sender's own choosing. */
  readonly more: readonly (readonly [name: string, text: string])[]
}

/** `odd`: a text that is no day, or a day after tomorrow. */
type MeasurementDate =
  | {
      readonly kind: 'known'
      readonly day: string
      readonly time: string
      /** Milliseconds since 1970. Without an offset the time is this browser's. */
      readonly at: number
    }
  | { readonly kind: 'odd'; readonly text: string }
  | { readonly kind: 'missing' }

/** The measurements of one kind. */
export interface MeasurementGroup {
  readonly latest: Measurement
  /** The newest first. */
  readonly earlier: readonly Measurement[]
  /** The numbers in the unit of the latest, the oldest first. Empty if there are fewer than two. */
  readonly course: readonly CoursePoint[]
}

export interface CoursePoint {
  readonly measurement: Measurement
  readonly number: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Groups measurements by their key and name. The newest are first, and those without a day last. */
export function groupMeasurements(entries: readonly Entry[]): readonly MeasurementGroup[] {
  const read = entries.map(entry => ({
    // Senders use one key for the left and the right knee, and name them.
    kind: [entry.key, entry.name].map(textOf).join('\n').trim() || entry,
    measurement: readMeasurement(entry),
  }))
  // What was sent last is the newest of one time.
  const sorted = read.reverse().sort((one, other) => timeOf(other.measurement) - timeOf(one.measurement))
  return [...Map.groupBy(sorted, ({ kind }) => kind).values()].flatMap(group => {
    const [latest, ...earlier] = group.map(({ measurement }) => measurement)
    return latest ? [{ latest, earlier, course: courseOf(latest, earlier) }] : []
  })
}

function courseOf(latest: Measurement, earlier: readonly Measurement[]): readonly CoursePoint[] {
  const points = [latest, ...earlier].flatMap(measurement => {
    const [number, at] = [numberOf(measurement.value), timeOf(measurement)]
    const isPoint = number !== undefined && at !== unknownTime && measurement.unit === latest.unit
    return isPoint ? [{ measurement, number, at }] : []
  })
  return points.length < 2 || points[0]?.measurement !== latest ? [] : points.reverse()
}

/** Before all times. */
const unknownTime = Number.MIN_SAFE_INTEGER

const timeOf = ({ date }: Measurement) => (date.kind === 'known' ? date.at : unknownTime)

/** Reads `6`, `68.5` and `1,5`; `undefined` for a text such as `132/84` and for numbers that no line can show. */
function numberOf(value: string): number | undefined {
  return /^[+-]?\d{1,15}(?:[.,]\d+)?$/.test(value) ? Number(value.replace(',', '.')) : undefined
}

function readMeasurement(entry: Entry): Measurement {
  const { key, name, value, unit, date, source, description, ...own } = entry
  return {
    name: textOf(name) || textOf(key),
    value: textOf(value),
    unit: textOf(unit),
    source: textOf(source),
    description: textOf(description),
    date: readDate(textOf(date)),
    more: Object.entries(own).flatMap(([member, sent]) => readMember(member, sent)),
  }
}

const datePattern =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d)(?<seconds>:\d\d(?:\.\d+)?)? ?(?<offset>Z|[+-]\d\d(?::?\d\d)?)?)?$/

function readDate(text: string): MeasurementDate {
  if (text === '') return { kind: 'missing' }
  const { day = '', time = '', seconds = '', offset = '' } = datePattern.exec(text)?.groups ?? {}
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  const zone = offset.replace(/^(...):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)
  const at = Date.parse(`${day}T${time || '00:00'}${seconds}${zone}`)
  const isRead = isDay && !Number.isNaN(at) && day <= localDay(-1)
  return isRead ? { kind: 'known', day, time, at } : { kind: 'odd', text }
}

/** A member of an object is named by its path. */
function readMember(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]]
  if (Array.isArray(value) && value.every(one => typeof one !== 'object'))
    return [[name, value.map(textOf).join(', ')]]
  return Object.entries(value).flatMap(([member, sent]) => readMember(`${name}, ${member}`, sent))
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value).trim()
}
