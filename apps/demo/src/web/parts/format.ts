import type { Person } from '@service-link/protocol-core'

/** Name of a person for people; never empty. */
export function nameOf(person: Pick<Person, 'firstname' | 'middlename' | 'lastname'>): string {
  return (
    [person.firstname, person.middlename, person.lastname].filter(Boolean).join(' ') ||
    'Person without a name'
  )
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Writes a date of birth: `3 Apr 1980`. */
export function formatDay(isoDate: string): string {
  return dayFormat.format(new Date(`${isoDate.slice(0, 10)}T00:00:00Z`))
}

export function ageOf(isoDate: string, now = new Date()): number {
  const [year = 0, month = 1, day = 1] = isoDate.split('-').map(Number)
  const hadBirthday = now.getMonth() + 1 > month || (now.getMonth() + 1 === month && now.getDate() >= day)
  return now.getFullYear() - year - (hadBirthday ? 0 : 1)
}

/** Writes a number with its noun: `1 exercise`, `12 exercises`. */
export function countOf(count: number, one: string, many: string): string {
  return count === 0 ? `No ${many}` : `${count} ${count === 1 ? one : many}`
}

/** Writes a duration: `45 s`, `3 min`, `2 min 30 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
