import type { Person } from '@service-link/protocol-core'

/** Name as people read it; never empty. */
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

/** A date of birth as people read it: `3 Apr 1980`. */
export function formatDay(isoDate: string): string {
  return dayFormat.format(new Date(`${isoDate.slice(0, 10)}T00:00:00Z`))
}

/** Whole years since a date of birth. */
export function ageOf(isoDate: string, now = new Date()): number {
  const [year = 0, month = 1, day = 1] = isoDate.split('-').map(Number)
  const hadBirthday = now.getMonth() + 1 > month || (now.getMonth() + 1 === month && now.getDate() >= day)
  return now.getFullYear() - year - (hadBirthday ? 0 : 1)
}
