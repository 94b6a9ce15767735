import { expect, test } from 'vitest'
import { doneDaysOf, isTodaySomewhere, setDone } from '../../src/server/workouts/done-days.ts'
import { seedLibrary } from '../../src/server/workouts/library.ts'
import { makeTestDatabase } from '../support/stores.ts'

test('a day is noted once, by two pages at once and again, until it is taken back', async () => {
  await using testDatabase = await makeTestDatabase()
  const { database, search } = await testDatabase.open()
  await seedLibrary(database, search)
  const daysOf = async (id: number) => (await doneDaysOf(database, [1, 2]))(id)
  await Promise.all([setDone(database, 1, '2026-11-25', true), setDone(database, 1, '2026-11-25', true)])
  await setDone(database, 1, '2026-11-26', true)
  expect(await daysOf(1)).toEqual(['2026-11-26', '2026-11-25'])
  expect(await daysOf(2)).toEqual([])
  for (let time = 0; time < 2; time++) await setDone(database, 1, '2026-11-26', false)
  expect(await daysOf(1)).toEqual(['2026-11-25'])
  for (let day = 10; day < 30; day++) await setDone(database, 2, `2026-10-${day}`, true)
  expect(await daysOf(2)).toHaveLength(15)
  expect((await daysOf(2))[0]).toBe('2026-10-29')
})

test.each([
  ['2026-11-25T12:00:00Z', '2026-11-24', false],
  ['2026-11-25T11:59:59Z', '2026-11-24', true],
  ['2026-11-25T12:00:00Z', '2026-11-25', true],
  ['2026-11-25T09:59:59Z', '2026-11-26', false],
  ['2026-11-25T10:00:00Z', '2026-11-26', true],
])('at %s it is %s somewhere: %s', (now, day, expected) => {
  expect(isTodaySomewhere(day, Date.parse(now))).toBe(expected)
})
