import { describe, expect, test } from 'vitest'
import { personSchema } from './person.ts'

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
