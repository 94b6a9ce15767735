import { ArgsError, type ArgsIssue, defineBrand, type Person } from '@service-link/protocol-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BuildXmlOptions, buildXmlInput } from './build-xml-input.ts'
import { parseXmlInput } from './parse-xml-input.ts'
import { findForbiddenCharacter } from './read-xml.ts'
import { XmlCharacterError } from './xml-error.ts'

const person: Person = { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' }

function withoutForbidden(text: string): string {
  return [...text].filter(character => findForbiddenCharacter(character) === -1).join('')
}

/** A person's text: any script, markup, line breaks; not empty, without white space at the ends. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('<', '>', '&', '"', "'", ']', '\n', '\r', '\t', ' ', ';', '#', 'amp', 'é'),
    }),
  )
  .map(value => withoutForbidden(value).trim())
  .filter(value => value !== '')

const date = fc
  .date({ min: new Date('1700-01-01'), max: new Date('2399-12-31'), noInvalidDate: true })
  .map(value => value.toISOString().slice(0, 10))

const anyPerson: fc.Arbitrary<Person> = fc.record(
  {
    customId: text,
    firstname: text,
    lastname: text,
    dateOfBirth: date,
    email: text,
    mobile: text,
    phoneHome: text,
    phoneWork: text,
    address: text,
    zipcode: text,
    location: text,
    country: text,
    source: text,
  },
  { requiredKeys: ['customId', 'firstname', 'lastname', 'dateOfBirth'] },
)

function readBack(options: BuildXmlOptions) {
  return parseXmlInput(new TextEncoder().encode(buildXmlInput(options)))
}

function refusals(options: BuildXmlOptions): readonly ArgsIssue[] {
  try {
    buildXmlInput(options)
  } catch (error) {
    if (error instanceof ArgsError) return error.issues
    throw error
  }
  return []
}

function pathsRefused(options: BuildXmlOptions): string[] {
  return refusals(options).map(({ path }) => path)
}

describe('buildXmlInput', () => {
  test('[4.4-root] writes declaration, root, attributes and elements', () => {
    expect(
      buildXmlInput({ person, exerciseQuery: 'knee & "hip"', workoutQuery: 'back', deleteAfterRead: false }),
    ).toBe(
      [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<serviceinput delete="false" exercisequery="knee &amp; &quot;hip&quot;" workoutquery="back">',
        '  <source_customerno>4711</source_customerno>',
        '  <firstname>Ola</firstname>',
        '  <lastname>van Dyk</lastname>',
        '  <born>1980-04-03</born>',
        '</serviceinput>',
        '',
      ].join('\n'),
    )
  })

  test('[4.4-delete] has the wrapper delete the file by default', () => {
    expect(readBack({ person }).deleteAfterRead).toBe(true)
    expect(readBack({ person, deleteAfterRead: false }).deleteAfterRead).toBe(false)
  })

  test('any person survives the round trip', () => {
    fc.assert(
      fc.property(anyPerson, given => {
        expect(readBack({ person: given })).toEqual({
          deleteAfterRead: true,
          commands: [{ name: 'selectperson', args: given }],
          unknown: [],
        })
      }),
    )
  })

  test('[4.4-exercisequery] [4.4-workoutquery] any query survives the round trip', () => {
    fc.assert(
      fc.property(text, text, (exercises, workouts) => {
        expect(readBack({ exerciseQuery: exercises, workoutQuery: workouts }).commands).toEqual([
          { name: 'queryworkouts', args: { text: workouts } },
          { name: 'queryexercises', args: { text: exercises } },
        ])
      }),
    )
  })

  test('uses the root element of the brand', () => {
    const brand = defineBrand({ name: 'Acme' })
    expect(buildXmlInput({ exerciseQuery: 'knee', brand })).toContain('<acmeinput delete="true"')
  })

  test('omits what is absent, empty, or not part of the file', () => {
    const more: Person = { ...person, gender: 'male', ssn: '1', userId: 3, email: ' ', mobile: '' }
    expect(buildXmlInput({ person: more, exerciseQuery: ' ' })).toBe(buildXmlInput({ person }))
  })

  test('names the fault of a person and its place', () => {
    for (const lastname of ['', ' ', undefined])
      expect(refusals({ person: { ...person, lastname } })).toEqual([
        { path: 'lastname', problem: 'is missing' },
      ])
    const more = { location: 'x'.repeat(4097), mobile: 17, surname: 'Dyk' }
    expect(refusals({ person: { ...person, ...more } as unknown as Person })).toEqual([
      { path: 'mobile', problem: 'must be text' },
      { path: 'place', problem: 'is longer than 4096 characters' },
      { path: 'surname', problem: 'is not known' },
    ])
  })

  test('refuses a file that the wrapper would refuse', () => {
    expect(pathsRefused({})).toEqual([''])
    expect(pathsRefused({ person: {}, exerciseQuery: 'knee' })).toEqual([
      'source_customerno',
      'firstname',
      'lastname',
      'born',
    ])
    expect(pathsRefused({ person: { ...person, dateOfBirth: '1980-02-30' } })).toEqual(['born'])
    expect(pathsRefused({ person: { ...person, zipcode: 'x'.repeat(4097) } })).toEqual(['postalcode'])
    expect(pathsRefused({ workoutQuery: 'x'.repeat(4097) })).toEqual(['workoutquery'])
    for (const firstname of ['a\0b', 'a\ud800b', 'a\udc00b'])
      expect(pathsRefused({ person: { ...person, firstname } })).toEqual(['firstname'])
  })

  test.for(['a\x1bb', 'a\uffffb', 'a\ufffeb'])(
    'refuses a character that XML cannot carry, naming its element: %j',
    firstname => {
      const build = () => buildXmlInput({ person: { ...person, firstname } })
      expect(build).toThrow(XmlCharacterError)
      expect(build).toThrow(expect.objectContaining({ code: 'ERR_XML_CHARACTER', element: 'firstname' }))
    },
  )
})
