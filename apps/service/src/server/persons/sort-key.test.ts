import { expect, test } from 'vitest'
import { sortKeyOf } from './sort-key.ts'

const { compare } = new Intl.Collator('nb', { sensitivity: 'base' })

/** Compares as both databases do. */
const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

test('last names have the order of Norwegian: … z æ ø å, and aa with å', () => {
  const names = [
    ...['Åsen', 'Aas', 'Berg', 'Zahl', 'Øvergård', 'Ærø', 'Ås', 'Nuñez', 'Nuts', 'Ödman', 'Ørn', 'Ägir'],
    ...['Müller', 'Myhre', 'Aagaard', 'berg-Hansen', 'Bergan', 'Haakon', 'Håland', 'Łukasz', 'Lund', 'Hodne'],
  ]
  const sorted = (order: (one: string, other: string) => number) => names.toSorted(order)
  const byKey = sorted((one, other) => bytes(sortKeyOf({ lastname: one }), sortKeyOf({ lastname: other })))
  expect(byKey).toEqual(sorted(compare))
})

test('then first names; a longer last name is behind; nobody without a name is before one with', () => {
  const persons = [
    { firstname: 'Bo', lastname: 'Li' },
    { firstname: 'Åse', lastname: 'Li' },
    { firstname: 'Åse', middlename: 'Marie', lastname: 'Li' },
    { firstname: 'Anne', lastname: 'Li Berg' },
    { firstname: 'Anne', lastname: 'Lian' },
    { firstname: 'Mo' },
    { lastname: '田中' },
    {},
  ]
  const keys = persons.map(sortKeyOf)
  expect(keys.toSorted(bytes)).toEqual(keys)
})
