import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadVectors } from '../../test/support/vectors.ts'
import { issuesOf } from '../schema/read.ts'
import { findWrittenIssues, maxProfileEntries, profileDataSchema } from './profile-data.ts'

const vectors = loadVectors<{ readonly json: string }, { readonly json: string }>('profile-data.json')

describe('profileDataSchema', () => {
  test.each(vectors)('$id: $name', ({ input, expect: expected, error }) => {
    const parsed = profileDataSchema.safeParse(JSON.parse(input.json))
    if (expected) expect(JSON.stringify(parsed.data)).toBe(JSON.stringify(JSON.parse(expected.json)))
    else expect(issuesOf(parsed.error ?? failUnexpected()).map(issue => issue.path)).toEqual(error?.paths)
  })

  test.each<[entries: readonly unknown[], faults: readonly string[]]>([
    [[{ key: 'a' }, { name: 'b' }], ['1.key']],
    [[{ key: 1 }], ['0.key']],
    [[{ key: 'a', value: true }], ['0.value']],
    [
      [{ unit: 1 }, { key: 'a', date: 'x', source: 2 }],
      ['0.key', '0.unit', '1.date', '1.source'],
    ],
    ...['2016-06-01T12:30:45', '01.06.2016', '2016-06-01 24:00', '2016-02-30', 'yesterday'].map(
      (date): [unknown[], string[]] => [[{ key: 'a', date }], ['0.date']],
    ),
    [['weight'], ['0']],
    [[{ key: 'a', own: 2 ** 53 }], ['0.own']],
    [Array.from({ length: maxProfileEntries + 1 }, () => ({ key: 'a' })), ['']],
    [[{ key: 'a', value: 1.5, date: '2016-06-01 12:30', unit: null, own: [true] }], []],
  ])('our own writer is strict: %j', (entries, faults) => {
    const paths = findWrittenIssues('person.profileData', 'profileData', entries).map(({ path }) => path)
    expect(paths).toEqual(faults.map(fault => ['profileData', fault].filter(Boolean).join('.')))
  })

  test.each([[Number.POSITIVE_INFINITY], [[{ deep: Number.NaN }]]])(
    'our own writer refuses what JSON would make null: %o',
    own => {
      expect(() => findWrittenIssues('person.profileData', 'profileData', [{ key: 'a', own }])).toThrow(
        'The parameter person.profileData must be JSON, without infinite numbers and cycles.',
      )
    },
  )

  test.each([[[Promise.resolve({ key: 'a' })]], [[{ key: 'a', own: Promise.resolve(1) }]]])(
    'our own writer refuses a promise: %o',
    entries => {
      expect(() => findWrittenIssues('person.profileData', 'profileData', entries)).toThrow(
        'The parameter person.profileData holds a promise: await it.',
      )
    },
  )

  test('[2.3-profile-data] an entry in the usual spelling is passed on without a copy', () => {
    const entry = JSON.parse('{"key":"weight","__proto__":{"polluted":true}}')
    const [passed] = profileDataSchema.parse([entry])
    expect(passed).toBe(entry)
  })

  test('members with names of object members pollute nothing', () => {
    const spellings = ['{"key":"a",', '{"Key":"a",']
    for (const start of spellings) {
      const json = `[${start}"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]`
      const [entry] = profileDataSchema.parse(JSON.parse(json))
      expect(Object.getPrototypeOf(entry)).toBe(Object.prototype)
      expect(Object.keys(entry ?? {})).toEqual(['key', '__proto__', 'constructor'])
      expect('polluted' in {}).toBe(false)
    }
  })

  test('any JSON in the sender’s extra members comes out unchanged or is refused', () => {
    const own = fc.dictionary(
      fc.string({ maxLength: 8 }).map(name => `my${name}`),
      fc.jsonValue(),
      { maxKeys: 5 },
    )
    const entries = fc.array(fc.tuple(fc.string(), own).map(([key, members]) => ({ ...members, key })))
    const refusals =
      /^(is a number beyond ±9007199254740991|has a name that (is an integer|holds the character U\+0000)|holds the character U\+0000)/
    fc.assert(
      fc.property(entries, sent => {
        const { data, error } = profileDataSchema.safeParse(sent)
        if (error) for (const { problem } of issuesOf(error)) expect(problem).toMatch(refusals)
        else expect(JSON.stringify(data)).toBe(JSON.stringify(sent))
      }),
    )
  })
})

function failUnexpected(): never {
  throw new Error('The input was accepted.')
}
