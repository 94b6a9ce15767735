import { startTexts } from '@service-link/ui/page-language'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ageOf, doneText, formatBorn, formatDay, localDay, nameOf } from './format.ts'

beforeAll(() => startTexts('en'))

test('a name is never empty', () => {
  expect(nameOf({ firstname: 'Åse', middlename: 'Marie', lastname: 'Øvergård' })).toBe('Åse Marie Øvergård')
  expect(nameOf({ lastname: 'Li' })).toBe('Li')
  expect(nameOf({})).toBe('Patient without a name')
})

test.each([
  [new Date(2026, 4, 11), 46],
  [new Date(2026, 4, 12), 47],
  [new Date(2026, 11, 31), 47],
])('somebody born on 12 May 1979 is, on %s, %i years old', (now, age) => {
  expect(ageOf('1979-05-12', now)).toBe(age)
})

test('a date is the same day in every time zone, an instant the day here', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [zone, day] of [
    ['Europe/Oslo', '27 Nov 2026'],
    ['America/Denver', '26 Nov 2026'],
  ] as const) {
    vi.stubEnv('TZ', zone)
    expect(formatDay('2026-11-26T23:11:00.000Z')).toBe(day)
    expect(formatDay('1979-01-01')).toBe('1 Jan 1979')
  }
})

test.each([
  ['2127-05-01', 'Born 1 May 2127'],
  ['0000-01-01', 'Born 0000-01-01'],
])('a birth on %s has no age', (date, text) => {
  expect(formatBorn(date)).toBe(text)
})

test.each([
  [[], 'Not marked as done yet'],
  [[0, 13, 14], 'Done today · 2 days in the last two weeks'],
  [[1, 2], 'Last done on the day · 2 days in the last two weeks'],
  [[20], 'Last done on the day · not in the last two weeks'],
])('a workout that was done %j days ago has the text %j', (daysAgo, text) => {
  const last = formatDay(localDay(daysAgo[0]))
  expect(doneText(daysAgo.map(localDay)).replace(last, 'on the day')).toBe(text)
})

test('a date is written in the page’s language', () => {
  startTexts('nb')
  expect(formatDay('1980-04-03')).toBe('3. apr. 1980')
})
