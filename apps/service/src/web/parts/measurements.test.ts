import { describe, expect, test } from 'vitest'
import { groupMeasurements } from './measurements.ts'

const weight = (value: string, date = '', more: object = {}) => ({ key: 'weight', value, date, ...more })
const only = (entry: object) => groupMeasurements([{ key: 'x', ...entry }])[0]?.latest

describe('measurements', () => {
  test('are grouped by key and name; the newest is first and one without a day last', () => {
    const groups = groupMeasurements([
      weight('70', '2026-01-02'),
      { name: 'Pain', value: 3 },
      weight('72'),
      weight('90', '', { name: 'Left' }),
      weight('71', '2026-03-01 08:40'),
      { value: 'of no kind' },
      weight('69', '2026-03-01 08:39:59'),
      { name: 'Pain', value: 5 },
      { value: 'of another kind' },
    ])
    const values = groups.map(({ latest, earlier }) => [latest, ...earlier].map(({ value }) => value))
    expect(values).toEqual([
      ['71', '69', '70', '72'],
      ['of another kind'],
      ['5', '3'],
      ['of no kind'],
      ['90'],
    ])
    expect(groups.map(({ latest }) => latest.name)).toEqual(['weight', '', 'Pain', '', 'Left'])
  })

  test('have a course if two numbers of one unit have a day', () => {
    const courseOf = (...entries: readonly object[]) =>
      groupMeasurements(entries.map(entry => ({ key: 'x', unit: 'kg', ...entry })))[0]?.course.map(
        ({ number }) => number,
      )
    const [first, second] = [
      { value: '1,5', date: '2026-01-01' },
      { value: '-2.5', date: '2026-01-02T10:00:00Z' },
    ]
    expect(courseOf(second, first)).toEqual([1.5, -2.5])
    expect(courseOf(first)).toEqual([])
    expect(courseOf(first, { ...second, value: '9'.repeat(400) })).toEqual([])
    expect(courseOf(first, { value: 3 })).toEqual([])
    expect(courseOf(first, { ...second, unit: 'lb' })).toEqual([])
    expect(courseOf(first, second, { value: '132/84', date: '2026-01-03' })).toEqual([])
    expect(
      courseOf(first, { value: '132/84', date: '2026-01-02' }, { value: 3, date: '2026-01-03' }),
    ).toEqual([1.5, 3])
  })

  test('of times with an offset, the latest instant is the newest', () => {
    const dates = ['T12:00+11:00', ' 12:00:31+0100', ' 12:00:30+01', 'T09:00Z'].map(
      time => `2026-11-20${time}`,
    )
    const [group] = groupMeasurements(dates.map(date => ({ key: 'x', value: date, date })))
    const values = [group?.latest, ...(group?.earlier ?? [])].map(measurement => measurement?.value)
    expect(values).toEqual([dates[1], dates[2], dates[3], dates[0]])
  })

  test.each([
    ['2026-10-05', { kind: 'known', day: '2026-10-05', time: '' }],
    ['2026-10-05 08:40:11', { kind: 'known', day: '2026-10-05', time: '08:40' }],
    ['2026-10-05T08:40:11+02:00', { kind: 'known', day: '2026-10-05', time: '08:40' }],
    ['2026-02-30', { kind: 'odd', text: '2026-02-30' }],
    ['2026-13-01', { kind: 'odd', text: '2026-13-01' }],
    ['2062-10-05', { kind: 'odd', text: '2062-10-05' }],
    ['2026-10-05 03:10 PM', { kind: 'odd', text: '2026-10-05 03:10 PM' }],
    ['5 October', { kind: 'odd', text: '5 October' }],
    [20261005, { kind: 'odd', text: '20261005' }],
    [' ', { kind: 'missing' }],
    [null, { kind: 'missing' }],
  ])('of the date %j are read as %j', (date, read) => {
    expect(only({ date })?.date).toMatchObject(read)
  })

  test('keep the sender’s own members, readable', () => {
    const own = {
      customkey: 'left leg',
      device: { maker: 'A', serial: 7 },
      tags: ['sitting', 2],
      isRest: false,
    }
    expect(only({ value: '1,50', ...own })?.more).toEqual([
      ['customkey', 'left leg'],
      ['device, maker', 'A'],
      ['device, serial', '7'],
      ['tags', 'sitting, 2'],
      ['isRest', 'false'],
    ])
  })
})
