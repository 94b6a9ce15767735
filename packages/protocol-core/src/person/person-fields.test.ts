import { describe, expect, test } from 'vitest'
import { parseGender, readPersonFields, writePersonFields } from './person-fields.ts'

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
    expect(writePersonFields('person', { ...person, dateOfBirth: undefined }, fields)).toEqual({
      values: [
        ['id', 'A-1', 'customId'],
        ['firstname', 'Kari', 'firstname'],
        ['gender', 'male', 'gender'],
      ],
      issues: [],
    })
  })

  test('names missing and invalid fields as the caller wrote them', () => {
    const person = { firstname: ' ', dateOfBirth: '1980-02-30', email: 'x'.repeat(4097) }
    expect(writePersonFields('person', person, fields)).toEqual({
      values: [],
      issues: [
        { path: 'customId', problem: 'is missing' },
        { path: 'firstname', problem: 'is missing' },
        { path: 'dateOfBirth', problem: 'must be a day that exists' },
        { path: 'email', problem: 'is longer than 4096 characters' },
      ],
    })
  })

  test.each(['03/04/1980', '3.4.1980', '1980-4-3', '1980-04-03T00:00'])('takes no date such as %s', date => {
    const { issues } = writePersonFields(
      'person',
      { customId: '1', firstname: 'K', dateOfBirth: date },
      fields,
    )
    expect(issues).toEqual([{ path: 'dateOfBirth', problem: 'must be written YYYY-MM-DD' }])
  })

  test.each<[object, string]>([
    [{ firstName: 'Kari' }, 'person.firstName is not known. Did you mean firstname?'],
    [{ dateofbirth: '1980-04-03' }, 'person.dateofbirth is not known. Did you mean dateOfBirth?'],
    [{ surname: 'x' }, 'person.surname is not known.'],
    [{ ssn: 17 }, 'person.ssn must be text.'],
    [{ gender: 'F' }, 'person.gender must be female or male.'],
    [{ email: null }, 'person.email must be text.'],
  ])('refuses %j', (person, sentence) => {
    expect(() => writePersonFields('person', person, fields)).toThrow(`The parameter ${sentence}`)
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
