import type { Person } from '@service-link/protocol-core/person'
import { expect, test } from 'vitest'
import {
  findContradictions,
  hasSameName,
  matchContact,
  type PersonTrait,
  type PersonTraits,
} from './same-person.ts'

const cases: readonly (readonly [readonly PersonTrait[], string, PersonTraits, PersonTraits])[] = [
  [[], 'nothing is known', { ssn: '12857948392', dateOfBirth: '1979-05-12' }, {}],
  [[], 'nothing is sent', {}, { ssn: '12857948392', dateOfBirth: '1979-05-12' }],
  [
    [],
    'the known values are empty',
    { ssn: '12857948392', dateOfBirth: '1979-05-12' },
    { ssn: null, dateOfBirth: '' },
  ],
  [[], 'the number is written in another way', { ssn: '128579-48392' }, { ssn: '128579 48392' }],
  [[], 'a number is none', { ssn: 'unknown' }, { ssn: '12857948392' }],
  [[], 'the short numbers are the same', { ssn: '1234' }, { ssn: '1234' }],
  [[], 'only one has a name', { firstname: 'Anna', lastname: 'Berg' }, { firstname: ' ' }],
  [[], 'each has another half of the name', { firstname: 'Anna' }, { lastname: 'Berg' }],
  [
    [],
    'the name is written in another way',
    { firstname: 'Anna  Åse', lastname: 'STRAẞE' },
    { firstname: 'anna\u00a0A\u030ase', lastname: 'Strasse ' },
  ],
  [
    [],
    'typographic twins are in the name',
    { firstname: 'Anne-Marie', lastname: "O'Brien" },
    { firstname: 'Anne\u2010Marie\u200b', lastname: 'O’Brien' },
  ],
  [[], 'a Swede’s number is long and short', { ssn: '19801224-1234' }, { ssn: '801224-1234' }],
  [
    ['ssn'],
    'a Swede’s number may be of two centuries',
    { ssn: '150412-2389' },
    { ssn: '191504122389', dateOfBirth: '1915-04-12' },
  ],
  [
    ['ssn'],
    'a number may be a Dane’s or a Swede’s',
    { ssn: '010203-1234' },
    { ssn: '0102031234', dateOfBirth: '2001-02-03' },
  ],
  [
    [],
    'such a number is written alike, and nobody knows a date of birth',
    { ssn: '010203-1234' },
    { ssn: '0102031234' },
  ],
  [
    [],
    'such a number is written alike, and so are the names',
    { firstname: 'Anna', lastname: 'Berg', ssn: '010203-1234' },
    { firstname: 'Anna', lastname: 'Berg', ssn: '0102031234', dateOfBirth: '2001-02-03' },
  ],
  [['firstname'], 'the first names differ', { firstname: 'Anna' }, { firstname: 'Bo', lastname: 'Berg' }],
  [['lastname'], 'the last names differ', { firstname: 'Anna', lastname: 'Berg' }, { lastname: 'Dahl' }],
  [['lastname'], 'an accent differs', { lastname: 'Ås' }, { lastname: 'As' }],
  [
    ['firstname'],
    'the names differ though the number is one',
    { firstname: 'Anna', ssn: '12857948392' },
    { firstname: 'Bo', ssn: '12857948392' },
  ],
  [['ssn'], 'the numbers differ', { ssn: '12857948392' }, { ssn: '12857948393' }],
  [['ssn'], 'the short numbers differ', { ssn: '1234' }, { ssn: '1235' }],
  [['ssn'], 'the centuries differ', { ssn: '131052-308T' }, { ssn: '131052+308T' }],
  [
    ['dateOfBirth'],
    'the dates of birth differ',
    { dateOfBirth: '1979-05-12' },
    { dateOfBirth: '1979-12-05' },
  ],
  [
    ['dateOfBirth'],
    'the dates differ though the number is one',
    { ssn: '12857948392', dateOfBirth: '1979-05-12' },
    { ssn: '128579 48392', dateOfBirth: '1997-05-12' },
  ],
  [
    ['firstname', 'lastname', 'dateOfBirth', 'ssn'],
    'all differs',
    { firstname: 'Anna', lastname: 'Berg', dateOfBirth: '1979-05-12', ssn: '12857948392' },
    { firstname: 'Bo', lastname: 'Dahl', dateOfBirth: '1997-05-12', ssn: '24889312576' },
  ],
]

test.each(cases)('%j contradict when %s', (expected, _name, sent, known) => {
  expect(findContradictions(sent, known)).toEqual(expected)
  expect(findContradictions(known, sent)).toEqual(expected)
})

test.each<[boolean, string, PersonTraits]>([
  [true, 'the same', { firstname: 'ANNA', lastname: 'Berg' }],
  [false, 'another', { firstname: 'Anna', lastname: 'Dahl' }],
  [false, 'half', { firstname: 'Anna' }],
  [false, 'none', {}],
])('%s when the name is %s', (expected, _name, known) => {
  const sent = { firstname: 'Anna', lastname: 'Berg' }
  expect(hasSameName(sent, known)).toBe(expected)
  expect(hasSameName(known, sent)).toBe(expected)
})

const bookOf = (...persons: readonly PersonTraits[]) => persons.map(person => ({ person: person as Person }))

test.each([
  ['selected', '801224-1234', [{ ssn: '19801224-1234' }]],
  ['selected', '19801224-1234', [{ ssn: '8012241234' }, { ssn: '18801224-1234' }]],
  ['selected', '020304 1234', [{ ssn: '020304-1234' }]],
  ['choose', '801224-1234', [{ ssn: '19801224-1234' }, { ssn: '8012241234' }]],
  ['choose', '1504122389', [{ ssn: '20150412-2389' }]],
  ['created', '20150412-2389', [{ ssn: '19150412-2389' }]],
  ['created', '131052-308T', [{ ssn: '131052Y308T' }]],
  ['choose', '010203-1234', [{ ssn: '20010203-1234' }]],
  ['choose', '010205A123X', [{ ssn: '010205123X' }]],
  ['choose', '261231-1234', [{ ssn: '19261231-1234' }]],
  ['selected', '801224-T123', [{ ssn: '19801224-T123' }]],
] as const)('%s: a person with the number %s among %j', (kind, ssn, known) => {
  expect(matchContact({ customId: '1', ssn }, 'journal', bookOf(...known))).toMatchObject({ kind })
})

test('for a wrapper, which names no partner, the CustomId of any source counts', () => {
  const person = { customId: '1', lastname: 'Berg' }
  const ofPartner = { person: {}, customIds: [{ partnerId: 'journal', customId: '1' }] }
  const ofNobody = { person: { customId: '1' } }
  expect(matchContact(person, undefined, [ofPartner])).toMatchObject({ kind: 'selected', known: ofPartner })
  expect(matchContact(person, undefined, [ofNobody])).toMatchObject({
    kind: 'selected',
    known: ofNobody,
    customIds: [],
  })
  expect(matchContact(person, undefined, [ofPartner, ofNobody])).toMatchObject({ kind: 'choose' })
  expect(matchContact(person, 'other', [ofPartner])).toMatchObject({ kind: 'created' })
})
