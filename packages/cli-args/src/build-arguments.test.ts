import {
  ArgsError,
  type ArgsIssue,
  defaultBrand,
  defineBrand,
  fieldsIn,
  type LaunchPerson,
  ParameterError,
} from '@service-link/protocol-core'
import { findIdProblem } from '@service-link/protocol-core/person'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BuildArgumentsOptions, buildArguments } from './build-arguments.ts'
import { parseArguments } from './parse-arguments.ts'

const person: LaunchPerson<'arguments'> = {
  customId: '4711',
  firstname: 'Ola',
  lastname: 'van Dyk',
  dateOfBirth: '1980-04-03',
}

/** A person's text: any script, quotes, `=`, line breaks; not empty, without NUL and without white space at the ends. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('"', '\\', '=', ' ', '\n', 'a', "'", '%'), maxLength: 20 }),
  )
  .map(value => value.replaceAll('\0', '').trim())
  // Ids lose invisible characters at their ends.
  .filter(value =>
    /^[^\s\p{Cf}\p{Default_Ignorable_Code_Point}](?:.*[^\s\p{Cf}\p{Default_Ignorable_Code_Point}])?$/su.test(
      value,
    ),
  )

/** A person with every field that the command line carries, all texts the same. */
const personOf = (given: string): LaunchPerson<'arguments'> => ({
  ...Object.fromEntries(fieldsIn('arguments').map(({ field }) => [field, given])),
  customId: given,
  dateOfBirth: '1980-04-03',
  gender: 'female',
})

function refusals(options: BuildArgumentsOptions): readonly ArgsIssue[] {
  try {
    buildArguments(options)
  } catch (error) {
    if (error instanceof ArgsError) return error.issues
    throw error
  }
  return []
}

function pathsRefused(options: BuildArgumentsOptions): string[] {
  return refusals(options).map(({ path }) => path)
}

describe('buildArguments', () => {
  test('[4.3-grammar] writes each value as one argument, without quotes', () => {
    expect(
      buildArguments({
        provider: 'Acme.Arguments, Acme',
        person,
        queryWorkouts: 'back',
        queryExercises: 'low back',
        openWorkout: 17,
        wait: true,
      }),
    ).toEqual([
      'provider=Acme.Arguments, Acme',
      'wait=true',
      'id=4711',
      'firstname=Ola',
      'lastname=van Dyk',
      'dateofbirth=1980-04-03',
      'queryworkouts=back',
      'queryexercises=low back',
      'openworkout=17',
    ])
  })

  test('[4.3-select-or-create] any person survives the round trip', () => {
    fc.assert(
      fc.property(text.map(personOf), given => {
        const parsed = parseArguments(buildArguments({ person: given }))
        expect(parsed.commands).toEqual([{ name: 'selectperson', args: given }])
        expect(parsed.unknown).toEqual([])
      }),
    )
  })

  test('[4.3-queryexercises] [4.3-queryworkouts] any text survives the round trip as one value', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1 }), (exercises, workouts, id) => {
        const argv = buildArguments({ queryExercises: exercises, queryWorkouts: workouts, openWorkout: id })
        expect(argv).toHaveLength(3)
        const { provider, xmlFile, commands } = parseArguments(argv)
        expect({ provider, xmlFile }).toEqual({ provider: undefined, xmlFile: undefined })
        expect(commands).toEqual([
          { name: 'queryworkouts', args: { text: workouts } },
          { name: 'queryexercises', args: { text: exercises } },
          { name: 'openworkout', args: { id } },
        ])
      }),
    )
  })

  test('omits what is absent, empty, or not part of the command line', () => {
    expect(buildArguments({})).toEqual([])
    expect(buildArguments({ queryExercises: ' ', wait: false, provider: '' })).toEqual([])
    const more = { ssn: '1', userId: 3, email: '  ', mobile: '', country: undefined }
    expect(buildArguments({ person: { ...person, ...more } })).toHaveLength(4)
    expect(buildArguments({ person: { ...person, customId: ' 4711 ' } })).toContain('id=4711')
  })

  test('names the missing parts of a person as the caller writes them', () => {
    // @ts-expect-error: the types ask for them, too
    expect(pathsRefused({ person: {} })).toEqual(['customId', 'firstname', 'lastname', 'dateOfBirth'])
    for (const lastname of ['', ' '])
      expect(refusals({ person: { ...person, lastname } })).toEqual([
        { path: 'lastname', problem: 'is missing' },
      ])
    const { customId, ...without } = person
    // @ts-expect-error: a launch needs customId
    expect(() => buildArguments({ person: without })).toThrow('customId is missing')
  })

  test('takes the required fields from the brand', () => {
    const { dateOfBirth: _, ...unborn } = person
    expect(pathsRefused({ person: unborn })).toEqual(['dateOfBirth'])
    const brand = defineBrand({ requiredPerson: ['customId', 'email'] })
    expect(pathsRefused({ person: unborn, brand })).toEqual(['email'])
    const argv = buildArguments({ person: { customId: '1', email: 'a@example.com' }, brand })
    expect(argv).toEqual(['id=1', 'email=a@example.com'])
    expect(parseArguments(argv, { brand }).commands).toHaveLength(1)
  })

  test('refuses what it does not know, and names the near option', () => {
    // @ts-expect-error
    expect(() => buildArguments({ persn: person })).toThrow(
      new ParameterError('options.persn', 'person', 'is not known. Did you mean person?'),
    )
    // @ts-expect-error
    expect(() => buildArguments({ person: { ...person, firstName: 'Ola' } })).toThrow(
      'options.person.firstName is not known. Did you mean firstname?',
    )
    // @ts-expect-error
    expect(() => buildArguments({ customId: '1' })).toThrow(
      'options.customId is not known. Did you mean person?',
    )
    // @ts-expect-error
    expect(() => buildArguments({ person: { ...person, mobile: 17 } })).toThrow(
      'options.person.mobile must be text.',
    )
    // @ts-expect-error
    expect(buildArguments({ person: { ...person, ssn: '1' } })).toEqual(buildArguments({ person }))
  })

  test('refuses characters that no operating system passes on', () => {
    expect(pathsRefused({ queryExercises: 'a\0b' })).toEqual(['queryExercises'])
    expect(pathsRefused({ person: { ...person, firstname: 'a\ud800' } })).toEqual(['firstname'])
  })

  test('refuses arguments that the reader would refuse', () => {
    expect(pathsRefused({ person: { ...person, dateOfBirth: '1980-02-30' } })).toEqual(['dateOfBirth'])
    expect(pathsRefused({ person: { ...person, email: 'x'.repeat(4097) } })).toEqual(['email'])
    expect(pathsRefused({ queryWorkouts: 'x'.repeat(4097) })).toEqual(['queryWorkouts'])
    expect(pathsRefused({ openWorkout: 1.5 })).toEqual(['openWorkout'])
    expect(pathsRefused({ provider: 'Service.Desktop.Arguments.Component' })).toEqual(['provider'])
    const { arguments: ofArguments, legacyXml, partnerLink } = defaultBrand.providers
    expect(refusals({ provider: legacyXml, person })).toEqual([
      { path: 'provider', problem: 'names a provider that does not read person' },
    ])
    expect(pathsRefused({ provider: ofArguments, payload: '@link.jwt' })).toEqual(['provider'])
    expect(pathsRefused({ provider: ofArguments, person, queryExercises: 'knee' })).toEqual([])
    expect(pathsRefused({ provider: partnerLink, payload: '@link.jwt', openWorkout: 3 })).toEqual([])
    expect(pathsRefused({ payload: `@${'x'.repeat(65_536)}` })).toEqual(['payload'])
    expect(pathsRefused({ payload: '@ ' })).toEqual(['payload'])
  })

  test('writes a signed payload’s file with further commands, and refuses a second person', () => {
    expect(buildArguments({ payload: '@link.jwt', queryExercises: 'knee' })).toEqual([
      'payload=@link.jwt',
      'queryexercises=knee',
    ])
    expect(refusals({ payload: '@link.jwt', person })).toEqual([
      {
        path: 'payload',
        problem: 'brings a person of its own: leave out person',
      },
    ])
  })

  test.each<[BuildArgumentsOptions, readonly string[], readonly object[]]>([
    [{ clearPerson: true }, ['clearperson=true'], [{ name: 'clearperson', args: {} }]],
    [
      { clearPerson: { customId: ' 4711 ' }, wait: true },
      ['wait=true', 'clearperson=true', 'id=4711'],
      [{ name: 'clearperson', args: { customId: '4711' } }],
    ],
    [{ signOut: true, queryExercises: ' ' }, ['signout=true'], [{ name: 'signout', args: {} }]],
    [{ clearPerson: false, signOut: false }, [], []],
  ])('writes the end %j', (options, argv, commands) => {
    expect(buildArguments(options)).toEqual(argv)
    expect(parseArguments(argv)).toMatchObject({ wait: options.wait === true, commands })
  })

  test('any id of a person to clear survives the round trip', () => {
    fc.assert(
      fc.property(text, customId => {
        fc.pre(findIdProblem(customId) === undefined)
        const { commands } = parseArguments(buildArguments({ clearPerson: { customId } }))
        expect(commands).toEqual([{ name: 'clearperson', args: { customId } }])
      }),
    )
  })

  test('refuses all beside an end, and an end for an id that names nobody', () => {
    expect(refusals({ clearPerson: true, signOut: true, queryWorkouts: 'knee', openWorkout: 3 })).toEqual([
      { path: 'clearPerson', problem: 'stands alone: leave out queryWorkouts, openWorkout, signOut' },
    ])
    expect(pathsRefused({ signOut: true, person })).toEqual(['signOut'])
    expect(pathsRefused({ signOut: true, payload: '@link.jwt' })).toEqual(['signOut'])
    for (const customId of [' ', 'undefined'])
      expect(pathsRefused({ clearPerson: { customId } })).toEqual(['clearPerson.customId'])
  })

  test('does not write a signed payload inline, where other users could read it', () => {
    expect(refusals({ payload: 'Secret.b.c' })).toEqual([
      {
        path: 'payload',
        problem:
          'must be @ and the path of a file that holds the signed payload: other users of this machine can read arguments',
      },
    ])
  })
})
