import { describe, expect, test } from 'vitest'
import type { ArgsIssue } from '../errors/command-error.ts'
import { readPersonFields, writePersonFields } from './read-person.ts'

const fields = [
  { field: 'customId', name: 'id', isRequired: true },
  { field: 'firstname', name: 'firstname', isRequired: true },
  { field: 'dateOfBirth', name: 'born' },
  { field: 'gender', name: 'gender' },
  { field: 'email', name: 'email' },
] as const

describe('readPersonFields', () => {
  const read = (values: Readonly<Record<string, unknown>>) => {
    const dropped: ArgsIssue[] = []
    const onDropped = (issue: ArgsIssue) => dropped.push(issue)
    return { ...readPersonFields(values, fields, { culture: 'nb-NO', onDropped }), dropped }
  }
  const names = { id: ' A-1 ', firstname: 'Kari' }

  test('reads the fields of the table only', () => {
    expect(read({ ...names, born: '3.4.1980', gender: 'F', other: 'x' })).toEqual({
      person: { customId: 'A-1', firstname: 'Kari', dateOfBirth: '1980-04-03', gender: 'female' },
      issues: [],
      dropped: [],
    })
  })

  test('names every text that is missing or cannot be kept, in the order of the table', () => {
    expect(read({ firstname: ' ', email: 'x'.repeat(4097) }).issues).toEqual([
      { path: 'id', problem: 'is missing' },
      { path: 'firstname', problem: 'is missing' },
      { path: 'email', problem: 'is longer than 4096 characters' },
    ])
  })

  test('drops optional fields that cannot be read', () => {
    expect(read({ ...names, born: '1980-02-30', gender: 'x', email: false })).toEqual({
      person: { customId: 'A-1', firstname: 'Kari' },
      issues: [],
      dropped: [
        { path: 'born', problem: 'must be a day that exists' },
        { path: 'gender', problem: 'must be female, male, F or M' },
        { path: 'email', problem: 'must be text' },
      ],
    })
  })

  test('refuses a required field that cannot be read', () => {
    const needed = [{ field: 'dateOfBirth', name: 'born', isRequired: true }] as const
    expect(readPersonFields({ born: 'today' }, needed, { culture: 'nb-NO' }).issues).toMatchObject([
      { path: 'born' },
    ])
  })

  test.each([
    [4711, '4711'],
    [-17.5, '-17.5'],
    [0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('takes the number %d as its decimal text', (id, text) => {
    expect(read({ ...names, id }).person.customId).toBe(text)
  })

  test.each([2 ** 53, 1e21, 1e-7])('the number %d has lost digits', number => {
    const lost = 'is a number that has lost digits: send it as text'
    expect(read({ ...names, id: number }).issues).toEqual([{ path: 'id', problem: lost }])
    expect(read({ ...names, email: number })).toMatchObject({
      issues: [],
      dropped: [{ path: 'email', problem: lost }],
    })
  })

  test.each([
    ['female', 'F', 'Female', 'K', 'Kvinne', 'Kvinna', 'Kvinde'],
    ['male', 'M', 'Male', 'Mann', 'Man', 'Mand'],
  ])('[4.5-gender] reads words of programs in the field for %s, and no others', (expected, ...words) => {
    for (const word of [expected, ...words])
      for (const gender of [word, word.toLowerCase(), ` ${word.toUpperCase()} `])
        expect(read({ ...names, gender }).person.gender).toBe(expected)
    for (const gender of ['x', 'woman', 'fem', 'mf'])
      expect(read({ ...names, gender }).dropped).toHaveLength(1)
  })

  test('notes the order that a culture gave a date, without the date, if another could exchange day and month', () => {
    const notesOf = (born: string) => {
      const notes: ArgsIssue[] = []
      const onNoted = (note: ArgsIssue) => notes.push(note)
      readPersonFields({ ...names, born }, fields, { culture: 'nb-NO', onNoted })
      return notes
    }
    const note = {
      path: 'born',
      problem: 'was read as DD.MM.YYYY, the order of the culture nb-NO; write YYYY-MM-DD, which needs none',
    }
    for (const born of ['03.04.1980', '3/4/1980', '03.04.1980 00:00:00'])
      expect(notesOf(born)).toEqual([note])
    for (const born of [
      '1980-04-03',
      '1980/04/03',
      '13.04.1980',
      '04.04.1980',
      '3. april 1980',
      '30.12.1899',
    ])
      expect(notesOf(born)).toEqual([])
  })

  test('takes a value that means no date as not sent, and says so where the field is needed', () => {
    const needed = [{ field: 'dateOfBirth', name: 'born', isRequired: true }] as const
    for (const born of ['0001-01-01T00:00:00', '30.12.1899', '1900-01-01', '1753-01-01']) {
      expect(read({ ...names, born })).toEqual({
        person: { customId: 'A-1', firstname: 'Kari' },
        issues: [],
        dropped: [],
      })
      expect(readPersonFields({ born }, needed, { culture: 'nb-NO' })).toEqual({
        person: {},
        issues: [{ path: 'born', problem: 'is missing: the value that was sent means no date' }],
      })
    }
  })

  test('omits empty optional text', () => {
    expect(Object.keys(read({ ...names, email: '', gender: '  ' }).person)).toEqual(['customId', 'firstname'])
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
    [{ surname: 'x' }, 'person.surname is not known. Did you mean lastname?'],
    [{ id: '1' }, 'person.id is not known. Did you mean customId?'],
    [{ source_customerno: '1' }, 'person.source_customerno is not known. Did you mean customId?'],
    [{ birthdate: '1980-04-03' }, 'person.birthdate is not known. Did you mean dateOfBirth?'],
    [{ ssn: 17 }, 'person.ssn must be text.'],
    [{ gender: 'F' }, 'person.gender must be female or male.'],
    [{ email: null }, 'person.email must be text.'],
  ])('refuses %j', (person, sentence) => {
    expect(() => writePersonFields('person', person, fields)).toThrow(`The parameter ${sentence}`)
  })
})
