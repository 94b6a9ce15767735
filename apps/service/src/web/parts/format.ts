import { t } from '../texts/texts.ts'

/** The id in an address; 0, which no record has, for another text. */
export const idOf = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

/** Name of a person for people; never empty. */
export function nameOf(
  person: { readonly [Part in 'firstname' | 'middlename' | 'lastname']?: string | null | undefined },
): string {
  return (
    [person.firstname, person.middlename, person.lastname].filter(Boolean).join(' ') ||
    t('persons.withoutName')
  )
}

/** Name of a person where lists are sorted by it, last name first: `Øvergård, Åse Marie`. */
export function listNameOf({ lastname, ...person }: Parameters<typeof nameOf>[0]): string {
  const given = [person.firstname, person.middlename].filter(Boolean).join(' ')
  return lastname && given ? `${lastname}, ${given}` : nameOf({ lastname, ...person })
}

/** An identifier as a bar has room for it: the beginning of a long one. */
export const shortId = (id: string) => (id.length <= 16 ? id : `${id.slice(0, 8)}…`)

/**
 * Writes a day in the page's language: `3 Apr 1980`, `3. apr. 1980`. A date is the same day in every time zone, an instant
 * the day here. A year before 1000 stays as it was sent. The browser's own formats take 20 ms to load.
 */
export function formatDay(dateOrInstant: string): string {
  const isoDate = dateOrInstant.includes('T') ? dayOf(new Date(dateOrInstant)) : dateOrInstant
  const [year = 0, month = 1, day = 0] = isoDate.split('-').map(Number)
  if (year < 1000) return isoDate
  return t('app.day', { day, month: t('app.months').split(' ')[month - 1], year })
}

/** Writes a date of birth with the age, if it can be one: `Born 3 Apr 1980 (46 years)`. */
export function formatBorn(isoDate: string): string {
  const [date, count] = [formatDay(isoDate), ageOf(isoDate)]
  if (count < 0 || count > 150) return t('persons.born', { date })
  return t('persons.bornAge', { date, age: t('persons.age', { count }) })
}

export function ageOf(isoDate: string, now = new Date()): number {
  const [year = 0, month = 1, day = 1] = isoDate.split('-').map(Number)
  const hadBirthday = now.getMonth() + 1 > month || (now.getMonth() + 1 === month && now.getDate() >= day)
  return now.getFullYear() - year - (hadBirthday ? 0 : 1)
}

/** The day here, or some days ago: `2026-11-26`. */
export function localDay(daysAgo = 0): string {
  const day = new Date()
  day.setDate(day.getDate() - daysAgo)
  return dayOf(day)
}

/** The day here of an instant. */
const dayOf = (at: Date) =>
  new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())).toISOString().slice(0, 10)

/** Writes when a workout was done: `Last done 24 Nov 2026 · 3 days in the last two weeks`. */
export function doneText([last, ...earlier]: readonly string[]): string {
  if (last === undefined) return t('workouts.neverDone')
  const when =
    last === localDay() ? t('workouts.doneToday') : t('workouts.lastDone', { date: formatDay(last) })
  return `${when} · ${recentText([last, ...earlier])}`
}

/** Writes how often a workout was done lately: `3 days in the last two weeks`. */
export const recentText = (doneDays: readonly string[]) =>
  t('workouts.doneDays', { count: doneDays.filter(day => day > localDay(14)).length })

/** Writes a duration: `45 s`, `3 min`, `2 min 30 s`. */
function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Keeps the direction of a foreign text to itself, as `<bdi>` does: a name may be written from right to left. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

interface WorkoutLine {
  readonly sets: number
  readonly reps: number | null
  readonly seconds: number | null
  readonly restSeconds: number
  readonly equipment: string
}

/** Writes what an exercise needs; the library says `none` for nothing, in each language. */
export const equipmentText = (equipment: string) =>
  equipment === 'none' ? t('workouts.noEquipment') : equipment

/** Writes how an exercise of a workout is done: `3 sets of 10 repetitions`, `60 s rest`, `no equipment`. */
export function lineFacts({ sets, reps, seconds, restSeconds, equipment }: WorkoutLine): string[] {
  const each = reps === null ? formatSeconds(seconds ?? 0) : t('workouts.reps', { count: reps })
  return [
    t('workouts.setsOf', { sets: t('workouts.sets', { count: sets }), each }),
    ...(restSeconds === 0 ? [] : [t('workouts.rest', { time: formatSeconds(restSeconds) })]),
    equipmentText(equipment),
  ]
}
