import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { loadVectors, thrownBy } from '../../test/support/vectors.ts'
import { isCulture } from './machine-culture.ts'
import { parseDate, parseIsoDate, readDate } from './parse-date.ts'

const vectors = loadVectors<
  { readonly text: string; readonly culture: string },
  { readonly date: string | null }
>('dates.json')

describe('parseDate', () => {
  test.each(vectors)('$id: $name', ({ input, expect: expected, error }) => {
    if (expected?.date) expect(parseDate(input.text, input.culture)).toBe(expected.date)
    else if (expected) expect(readDate(input.text, input.culture)).toMatchObject({ isAbsent: true })
    else {
      const thrown = thrownBy(() => parseDate(input.text, input.culture))
      expect(thrown).toMatchObject({ code: error?.code })
      if (input.text.trim() !== '') expect(String(thrown)).not.toContain(input.text.trim())
    }
  })

  const days = fc.date({ min: new Date('1700-01-01'), max: new Date('2399-12-31'), noInvalidDate: true })

  test.each(['en-US', 'nb-NO', 'sv-SE', 'bg-BG', 'ar-EG'])(
    'reads every day that %s writes in numbers with a year of four digits',
    culture => {
      const format = new Intl.DateTimeFormat(culture, {
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        calendar: 'gregory',
        timeZone: 'UTC',
      })
      fc.assert(
        fc.property(days, day => {
          expect(parseDate(format.format(day), culture)).toBe(day.toISOString().slice(0, 10))
        }),
      )
    },
  )

  test('accepts exactly the days that exist', () => {
    const anyDay = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(13), fc.nat(32))
    fc.assert(
      fc.property(anyDay, ([year, month, day]) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const date = new Date(`${text}T00:00:00Z`)
        const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
        if (exists) expect(parseIsoDate(text)).toBe(text)
        else expect(thrownBy(() => parseIsoDate(text))).toMatchObject({ code: 'ERR_DATE' })
      }),
      { numRuns: 500 },
    )
  })
})

test.each('cs da es fi hr ja lt pl ru zh'.split(' '))(
  'a long date of %s, with a time or without, is read without a culture, and never as another day',
  culture => {
    const utc = { timeZone: 'UTC', dateStyle: 'full' } as const
    const formats = [utc, { ...utc, timeStyle: 'short' } as const].map(
      options => new Intl.DateTimeFormat(culture, options),
    )
    for (let month = 0; month < 12; month++)
      for (const format of formats) {
        const day = new Date(Date.UTC(1980, month, 3))
        const { date, problem } = readDate(format.format(day), 'und')
        // Croatian and Polish have October and November with one name.
        if (!problem?.includes('differs between languages') || !['hr', 'pl'].includes(culture))
          expect([format.format(day), date]).toEqual([format.format(day), day.toISOString().slice(0, 10)])
      }
  },
)

describe('a date that cannot be read', () => {
  const plain = 'must be written YYYY-MM-DD'
  test.each([
    ['03.04.1980', expect.stringContaining('tells whether the day or the month comes first')],
    ['03.04.1980 00:00:00', expect.stringContaining('tells whether the day or the month comes first')],
    ['32.13.1980', 'must be a day that exists'],
    ['03.04.80', plain],
    ['unknown', plain],
    ['1980/04/03-05', plain],
    ['3 avrilis 1980', plain],
    ['3 listopada 1980', `${plain}: the name of the month differs between languages`],
    ['x'.repeat(101), plain],
  ])('without a culture, %s: the reason is named', (text, problem) => {
    expect(readDate(text, 'und')).toEqual({ problem })
  })
})

test.each([
  ['3. april 1980', 'nb-NO'],
  ['3 avril 1980', 'nb-NO'],
  ['April 3, 1980', 'en-US'],
])('%s in %s was not decided by the culture', (text, culture) => {
  expect(readDate(text, culture)).toEqual({ date: '1980-04-03' })
})

describe('parseIsoDate', () => {
  test('accepts no other spelling of a date, and drops what stands behind it', () => {
    for (const text of [' 1980-04-03 ', '1980-04-03Z', '1980-04-03T24:00:00+02:00'])
      expect(parseIsoDate(text)).toBe('1980-04-03')
    expect(thrownBy(() => parseIsoDate('03.04.1980'))).toMatchObject({
      problem: 'must be written YYYY-MM-DD',
    })
  })
})

describe('cultures', () => {
  test('are not asked for by a date in ISO 8601', () => {
    const asked = vi.spyOn(Intl, 'DateTimeFormat')
    expect(readDate('1980-04-03T00:00:00', 'fo-FO')).toEqual({ date: '1980-04-03' })
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })

  test.each([
    ['nb-NO', true],
    ['zh-Hant-TW', true],
    ['', false],
    ['nb_NO', false],
    ['Norwegian (Bokmål)', false],
  ])('%j is a language tag: %s', (text, expected) => {
    expect(isCulture(text)).toBe(expected)
  })
})
