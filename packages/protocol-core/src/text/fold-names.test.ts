import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldMembers, foldNames, indexNames } from './fold-names.ts'

const index = indexNames(['Id', 'method', 'dateOfBirth'])

describe('foldNames', () => {
  test('finds names in any case and keeps the others as sent', () => {
    const entries = [
      ['METHOD', 1],
      ['DateOfBirth', 2],
      ['Else', 3],
    ] as const
    expect(foldNames<number>(entries, index)).toEqual({
      known: { method: 1, dateOfBirth: 2 },
      unknown: ['Else'],
      issues: [],
    })
  })

  test('equal spellings are one name, different values one issue, in any number', () => {
    expect(
      foldNames<unknown>(
        [
          ['id', [1]],
          ['ID', [1]],
        ],
        index,
      ),
    ).toMatchObject({ known: { Id: [1] }, issues: [] })
    const three = [
      ['id', 1],
      ['ID', 2],
      ['iD', 3],
    ] as const
    expect(foldNames<number>(three, index).issues).toEqual([
      { path: 'Id', problem: 'is given twice with different values' },
    ])
  })
})

describe('for any number of spellings and any size of the value', () => {
  const spellings = Array.from({ length: 2048 }, (_, bits) =>
    [...'profiledata'].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  )

  /** Folds one value per spelling, and counts how often each is written as JSON. */
  function foldCounting(jsonOf: (at: number) => unknown) {
    const written = spellings.map(() => 0)
    const entries = spellings.map((spelling, at) => {
      const value = {
        toJSON() {
          written[at] = (written[at] ?? 0) + 1
          return jsonOf(at)
        },
      }
      return [spelling, value] as const
    })
    const { issues } = foldMembers(Object.fromEntries(entries), indexNames(['profiledata']))
    return { issues, written }
  }

  test('equal values are each written once', () => {
    const { issues, written } = foldCounting(() => [1])
    expect(issues).toEqual([])
    expect(new Set(written)).toEqual(new Set([1]))
  })

  test('writing stops at the first difference', () => {
    const { issues, written } = foldCounting(at => [at > 0])
    expect(issues).toHaveLength(1)
    expect(written.map((times, at) => (times > 0 ? at : -1)).filter(at => at >= 0)).toEqual([0, 1])
    expect(Math.max(...written)).toBe(1)
  })
})

describe('foldMembers', () => {
  test('finds the same names in an object as foldNames in its entries', () => {
    const spelled = fc.constantFrom('Id', 'id', 'ID', 'method', 'Method', 'dateOfBirth', 'dateofbirth', 'x')
    const members = fc.oneof(spelled, fc.constantFrom('__proto__', 'constructor', 'toString'))
    fc.assert(
      fc.property(
        fc.uniqueArray(members),
        fc.array(fc.nat(2), { minLength: 11, maxLength: 11 }),
        (keys, values) => {
          const json = `{${keys.map((key, at) => `${JSON.stringify(key)}:${values[at]}`)}}`
          const value = JSON.parse(json)
          expect(foldMembers(value, index)).toEqual(foldNames<unknown>(Object.entries(value), index))
        },
      ),
    )
  })
})
