import { startTexts } from '@service-link/ui/page-language'
import { beforeAll, expect, test } from 'vitest'
import { ageOf, doneText, formatDay, localDay, nameOf } from './format.ts'

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

test('a date of birth is the same day in every time zone', () => {
  expect(formatDay('1979-01-01')).toBe('1 Jan 1979')
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

test('a date is written in the page’s language', async () => {
  await startTexts('nb')
  expect(formatDay('1980-04-03')).toBe('3. apr. 1980')
})
