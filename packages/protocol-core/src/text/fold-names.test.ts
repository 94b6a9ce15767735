import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldMembers, foldNames, indexNames } from './fold-names.ts'

const names = ['Id', 'method', 'dateOfBirth']

describe('foldNames', () => {
  test('finds names in any case and tells the others as they were sent', () => {
    const entries = [
      ['METHOD', 1],
      ['DateOfBirth', 2],
      ['Else', 3],
    ] as const
    expect(foldNames<number>(entries, names)).toEqual({
      known: { method: 1, dateOfBirth: 2 },
      unknown: ['Else'],
      issues: [],
    })
  })

  test('two spellings with one value are one name, with different values one issue, however many they are', () => {
    expect(
      foldNames<unknown>(
        [
          ['id', [1]],
          ['ID', [1]],
        ],
        names,
      ),
    ).toMatchObject({ known: { Id: [1] }, issues: [] })
    const three = [
      ['id', 1],
      ['ID', 2],
      ['iD', 3],
    ] as const
    expect(foldNames<number>(three, names).issues).toEqual([
      { path: 'Id', problem: 'is given twice with different values' },
    ])
  })
})

describe('foldMembers', () => {
  test('finds in an object what foldNames finds in its entries', () => {
    const spelled = fc.constantFrom('Id', 'id', 'ID', 'method', 'Method', 'dateOfBirth', 'dateofbirth', 'x')
    const members = fc.oneof(spelled, fc.constantFrom('__proto__', 'constructor', 'toString'))
    const index = indexNames(names)
    fc.assert(
      fc.property(
        fc.uniqueArray(members),
        fc.array(fc.nat(2), { minLength: 11, maxLength: 11 }),
        (keys, values) => {
          const json = `{${keys.map((key, at) => `${JSON.stringify(key)}:${values[at]}`)}}`
          const value = JSON.parse(json)
          expect(foldMembers(value, index)).toEqual(foldNames<unknown>(Object.entries(value), names))
        },
      ),
    )
  })
})
