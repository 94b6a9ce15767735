import { describe, expect, test } from 'vitest'
import { parseGender, personSchema, readPersonFields, writePersonFields } from './person.ts'

const fields = [
  { field: 'customId', name: 'id', isRequired: true },
  { field: 'firstname', name: 'firstname', isRequired: true },
  { field: 'dateOfBirth', name: 'born' },
  { field: 'gender', name: 'gender' },
  { field: 'email', name: 'email' },
] as const

describe('readPersonFields', () => {
  test('reads the fields of the table only', () => {
    const values = { id: ' A-1 ', firstname: 'Kari', born: '3.4.1980', gender: 'F', other: 'x' }
    expect(readPersonFields(values, fields, 'nb-NO')).toEqual({
      person: { customId: 'A-1', firstname: 'Kari', dateOfBirth: '1980-04-03', gender: 'female' },
      issues: [],
    })
  })

  test('names every missing or unreadable text, in the order of the table', () => {
    const values = { firstname: ' ', born: '1980-02-30', gender: 'x', email: 'x'.repeat(4097) }
    expect(readPersonFields(values, fields, 'nb-NO').issues).toEqual([
      { path: 'id', problem: 'is missing' },
      { path: 'firstname', problem: 'is missing' },
      { path: 'born', problem: 'must be a day that exists' },
      { path: 'gender', problem: 'must be female, male, F or M' },
      { path: 'email', problem: 'is longer than 4096 characters' },
    ])
  })

  test('omits empty optional text', () => {
    const { person } = readPersonFields({ id: '1', firstname: 'K', email: '', gender: '  ' }, fields, 'nb-NO')
    expect(Object.keys(person)).toEqual(['customId', 'firstname'])
  })
})

describe('writePersonFields', () => {
  test('trims, and omits what is absent, empty or not in the table', () => {
    const person = {
      customId: ' A-1 ',
      firstname: 'Kari',
      email: '',
      gender: 'male',
      ssn: '1',
      userId: 0,
    } as const
    expect(writePersonFields({ ...person, dateOfBirth: undefined }, fields)).toEqual({
      values: [
        ['id', 'A-1'],
        ['firstname', 'Kari'],
        ['gender', 'male'],
      ],
      issues: [],
    })
  })

  test('names missing and invalid fields like the table, and unknown members', () => {
    const person = {
      firstname: ' ',
      dateOfBirth: '1980-02-30',
      email: 'x'.repeat(4097),
      ssn: 17,
      surname: 'x',
    }
    expect(writePersonFields(person as never, fields)).toEqual({
      values: [],
      issues: [
        { path: 'id', problem: 'is missing' },
        { path: 'firstname', problem: 'is missing' },
        { path: 'born', problem: 'must be a day that exists' },
        { path: 'ssn', problem: 'must be text' },
        { path: 'email', problem: 'is longer than 4096 characters' },
        { path: 'surname', problem: 'is not known' },
      ],
    })
  })
})

describe('parseGender', () => {
  test.each(['female', 'male', 'F', 'M'])('[4.5-gender] %s is known in any case', spelling => {
    const expected = spelling.toLowerCase().startsWith('f') ? 'female' : 'male'
    for (const text of [spelling, spelling.toLowerCase(), spelling.toUpperCase(), ` ${spelling} `])
      expect(parseGender(text)).toBe(expected)
  })

  test.each(['', 'x', 'woman', 'fem', 'mf'])('%j is not', text => {
    expect(parseGender(text)).toBeUndefined()
  })
})

describe('personSchema', () => {
  test('[2.3-custom-id] accepts the persons of every transport', () => {
    const person = {
      customId: 'A-1',
      userId: 0,
      dateOfBirth: '1980-04-03',
      profileData: [{ key: 'k', own: [1] }],
    }
    expect(personSchema.parse(person)).toEqual(person)
    expect(personSchema.parse({})).toEqual({})
  })

  test.each([
    ['an empty text', { firstname: '' }],
    ['a date in another form', { dateOfBirth: '3.4.1980' }],
    ['a day that does not exist', { dateOfBirth: '1980-02-30' }],
    ['a date of the Buddhist calendar', { dateOfBirth: '2523-04-03' }],
    ['white space around a date', { dateOfBirth: ' 1980-04-03' }],
    ['a negative user id', { userId: -1 }],
    ['a gender of another spelling', { gender: 'F' }],
    ['a text that is too long', { lastname: 'x'.repeat(4097) }],
    ['a name that is not a field', { surname: 'x' }],
  ])('refuses %s', (_, person) => {
    expect(personSchema.safeParse(person).success).toBe(false)
  })
})
