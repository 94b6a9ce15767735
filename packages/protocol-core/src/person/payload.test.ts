import { describe, expect, test } from 'vitest'
import { readBy } from '../schema/read.ts'
import {
  claimsFromPayload,
  contactSchema,
  lenientPayloadSchema,
  payloadSchema,
  writtenPayloadSchema,
} from './payload.ts'

const contact = {
  id: '01020312345',
  birthdate: '1980-04-03',
  ssn: '01020312345',
  gender: 'male',
  firstname: 'Ola',
  middlename: '',
  lastname: 'Nordmann',
  mobile: '+4790000000',
  email: 'ola@example.com',
  diagnosis: 'L92',
}

const payload = {
  organizationId: 'o-1',
  organizationName: 'Clinic',
  employeeId: 'e-1',
  employeeUsername: 'ek',
  employeeFirstname: 'Eva',
  employeeLastname: 'Knutsen',
  employeeEmail: 'eva@example.com',
  contact,
}

const problemsOf = (schema: typeof payloadSchema | typeof contactSchema, value: unknown) =>
  readBy(schema, value).issues ?? []

describe('payloadSchema', () => {
  test('[2.1-claims] accepts every claim of the table', () => {
    expect(payloadSchema.parse(payload)).toEqual({
      ...payload,
      contact: { ...contact, middlename: undefined },
    })
  })

  test('[2.1-claims] requires organizationId, employeeId and contact.id, and names them all', () => {
    expect(problemsOf(payloadSchema, { contact: {} })).toEqual([
      { path: 'organizationId', problem: 'is missing' },
      { path: 'employeeId', problem: 'is missing' },
      { path: 'contact.id', problem: 'is missing' },
    ])
    expect(problemsOf(payloadSchema, { organizationId: 'o', employeeId: 'e' })).toMatchObject([
      { path: 'contact' },
    ])
  })

  test.each(['half \ud800', ['\u0000'], 7, true])('a contact that is no object is told once: %j', contact => {
    expect(problemsOf(payloadSchema, { ...payload, contact })).toEqual([
      { path: 'contact', problem: 'must be an object' },
    ])
  })

  test.each(Object.keys(payload).filter(name => name !== 'contact'))('[2.1-claims] %s must be text', name => {
    expect(problemsOf(payloadSchema, { ...payload, [name]: 7 })).toEqual([
      { path: name, problem: 'must be text' },
    ])
  })

  test('keeps claims that are not in the table', () => {
    const claims = {
      ...payload,
      iss: 'partner',
      department: { id: 2 ** 60 },
      contact: { ...contact, shoeSize: 43 },
    }
    const read = payloadSchema.parse(claims)
    expect(read).toMatchObject({
      extra: { iss: 'partner', department: { id: 2 ** 60 } },
      contact: { extra: { shoeSize: 43 } },
    })
    expect(claimsFromPayload(read)).toEqual({
      ...claims,
      contact: { ...claims.contact, middlename: undefined },
    })
  })

  test('a claim called __proto__ or constructor pollutes nothing', () => {
    const json = JSON.stringify(payload).replace('{', '{"__proto__":{"polluted":1},"constructor":1,')
    const parsed = payloadSchema.parse(JSON.parse(json))
    expect('polluted' in parsed).toBe(false)
    expect('polluted' in {}).toBe(false)
  })
})

describe('lenientPayloadSchema', () => {
  test.each<[string, object, object]>([
    [
      'whole numbers as ids',
      { organizationId: 0, employeeId: -7 },
      { organizationId: '0', employeeId: '-7' },
    ],
    ['the largest exact number', { employeeId: 9007199254740991 }, { employeeId: '9007199254740991' }],
    ['text as ever', { employeeId: ' 007 ' }, { employeeId: '007' }],
  ])('takes %s', (_name, sent, expected) => {
    expect(readBy(lenientPayloadSchema, { ...payload, ...sent }).value).toMatchObject(expected)
  })

  test.each([9007199254740992, 1e21, 4711.5, -0.1])(
    'refuses %d as an ID: another could become the same',
    id => {
      const { issues } = readBy(lenientPayloadSchema, { ...payload, contact: { ...contact, id } })
      expect(issues).toEqual([{ path: 'contact.id', problem: expect.stringContaining('must be text') }])
    },
  )

  test.each([
    ['1980-04-03T00:00:00'],
    ['1980-04-03T23:59:59.9999999Z'],
    [' 1980-04-03 00:30:00 +0200 '],
    ['1980/4/3'],
    ['Thu, 03 Apr 1980 00:00:00 GMT'],
    ['1980-04-03'],
  ])('reads the written date of %j', birthdate => {
    const sent = { ...payload, contact: { ...contact, birthdate } }
    for (const schema of [payloadSchema, lenientPayloadSchema])
      expect(readBy(schema, sent).value?.contact.birthdate).toBe('1980-04-03')
    expect(problemsOf(writtenPayloadSchema, sent)).toHaveLength(birthdate === '1980-04-03' ? 0 : 1)
  })

  test.each(['1980-02-30T00:00:00', '03.04.1980', '1980-04-03T'])(
    'refuses %j as a date of birth',
    birthdate => {
      const issues = problemsOf(payloadSchema, { ...payload, contact: { ...contact, birthdate } })
      expect(issues.map(({ path }) => path)).toEqual(['contact.birthdate'])
    },
  )
})

test.each(['0001-01-01', '1899-12-30T00:00:00', '1900-01-01', '1753-01-01'])(
  'takes the birthdate %s as not sent, but does not write it',
  birthdate => {
    const sent = { ...payload, contact: { ...contact, birthdate } }
    const read = payloadSchema.parse(sent)
    expect(read.contact).toMatchObject({ id: contact.id })
    expect(read.contact).not.toHaveProperty('birthdate')
    expect(problemsOf(writtenPayloadSchema, sent)).toMatchObject([{ path: 'contact.birthdate' }])
  },
)

describe('contactSchema', () => {
  test.each(Object.keys(contact))('[2.1-contact] %s must be text', name => {
    expect(problemsOf(contactSchema, { ...contact, [name]: 7 })).toEqual([
      { path: name, problem: 'must be text' },
    ])
  })

  test('[2.1-contact] a birthdate is an existing day in ISO 8601', () => {
    expect(problemsOf(contactSchema, { id: '1', birthdate: '03.04.1980' })).toEqual([
      { path: 'birthdate', problem: 'must be written YYYY-MM-DD' },
    ])
    for (const birthdate of ['1980-02-30', '2523-04-03', '1359-02-31'])
      expect(problemsOf(contactSchema, { id: '1', birthdate })).toHaveLength(1)
    expect(contactSchema.parse({ id: '1', birthdate: '' }).birthdate).toBeUndefined()
  })
})
