import {
  ArgsError,
  type ArgsIssue,
  defineBrand,
  fieldsIn,
  type LaunchPerson,
  type Person,
} from '@service-link/protocol-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BuildXmlOptions, buildXmlInput } from './build-xml-input.ts'
import { findForbiddenCharacter } from './check-xml.ts'
import { parseXmlInput } from './parse-xml-input.ts'
import { XmlCharacterError } from './xml-error.ts'

const person: LaunchPerson<'xml'> = {
  customId: '4711',
  firstname: 'Ola',
  lastname: 'van Dyk',
  dateOfBirth: '1980-04-03',
}

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
  // Ids lose invisible characters at their ends.
  .filter(value =>
    /^[^\s\p{Cf}\p{Default_Ignorable_Code_Point}](?:.*[^\s\p{Cf}\p{Default_Ignorable_Code_Point}])?$/su.test(
      value,
    ),
  )

/** A person with every field that the file carries, all texts the same. */
const personOf = (given: string): LaunchPerson<'xml'> => ({
  ...Object.fromEntries(fieldsIn('xml').map(({ field }) => [field, given])),
  customId: given,
  dateOfBirth: '1980-04-03',
})

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
      buildXmlInput({
        person,
        queryExercises: 'knee & "hip"',
        queryWorkouts: 'back',
        deleteAfterRead: false,
      }),
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
      fc.property(text.map(personOf), given => {
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
        expect(readBack({ queryExercises: exercises, queryWorkouts: workouts }).commands).toEqual([
          { name: 'queryworkouts', args: { text: workouts } },
          { name: 'queryexercises', args: { text: exercises } },
        ])
      }),
    )
  })

  test('uses the root element and the required fields of the brand', () => {
    const { dateOfBirth: _, ...unborn } = person
    expect(() => buildXmlInput({ person: unborn })).toThrow('dateOfBirth')
    const brand = defineBrand({ name: 'Acme', requiredPerson: ['customId', 'firstname', 'lastname'] })
    expect(parseXmlInput(buildXmlInput({ person: unborn, brand }), { brand }).commands).toHaveLength(1)
    expect(buildXmlInput({ queryExercises: 'knee', brand })).toContain('<acmeinput delete="true"')
  })

  test('omits what is absent, empty, or not part of the file', () => {
    const others: Person = { gender: 'male', ssn: '1', userId: 3 }
    const more = { ...others, ...person, email: ' ', mobile: '' }
    expect(buildXmlInput({ person: more, queryExercises: ' ' })).toBe(buildXmlInput({ person }))
    // @ts-expect-error
    expect(buildXmlInput({ person: { ...person, gender: 'male' } })).toBe(buildXmlInput({ person }))
  })

  test('names the fault of a person as the caller writes it', () => {
    for (const lastname of ['', ' '])
      expect(refusals({ person: { ...person, lastname } })).toEqual([
        { path: 'lastname', problem: 'is missing' },
      ])
    const more = { location: 'x'.repeat(4097), dateOfBirth: '03/04/1980' }
    expect(refusals({ person: { ...person, ...more } })).toEqual([
      { path: 'dateOfBirth', problem: 'must be written YYYY-MM-DD' },
      { path: 'location', problem: 'is longer than 4096 characters' },
    ])
  })

  test('refuses what it does not know, and names the near option', () => {
    // @ts-expect-error
    expect(() => buildXmlInput({ exerciseQuery: 'knee' })).toThrow('options.exerciseQuery is not known.')
    // @ts-expect-error
    expect(() => buildXmlInput({ queryExercise: 'knee' })).toThrow('Did you mean queryExercises?')
    // @ts-expect-error
    expect(() => buildXmlInput({ person: { ...person, custom_id: '1' } })).toThrow(
      'options.person.custom_id is not known. Did you mean customId?',
    )
  })

  test('refuses a file that the wrapper would refuse', () => {
    expect(pathsRefused({})).toEqual([''])
    // @ts-expect-error: the types ask for them, too
    expect(pathsRefused({ person: {}, queryExercises: 'knee' })).toEqual([
      'customId',
      'firstname',
      'lastname',
      'dateOfBirth',
    ])
    expect(pathsRefused({ person: { ...person, dateOfBirth: '1980-02-30' } })).toEqual(['dateOfBirth'])
    expect(pathsRefused({ person: { ...person, zipcode: 'x'.repeat(4097) } })).toEqual(['zipcode'])
    expect(pathsRefused({ queryWorkouts: 'x'.repeat(4097) })).toEqual(['queryWorkouts'])
    for (const firstname of ['a\0b', 'a\ud800b', 'a\udc00b'])
      expect(pathsRefused({ person: { ...person, firstname } })).toEqual(['firstname'])
  })

  test.for(['a\x1bb', 'a\uffffb', 'a\ufffeb'])(
    'refuses a character that XML cannot carry, naming its field: %j',
    firstname => {
      const build = () => buildXmlInput({ person: { ...person, firstname } })
      expect(build).toThrow(XmlCharacterError)
      expect(build).toThrow(expect.objectContaining({ code: 'ERR_XML_CHARACTER', property: 'firstname' }))
    },
  )
})
