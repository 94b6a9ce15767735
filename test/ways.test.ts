import { describe, expect, test } from 'vitest'
import { fileGraph, findCycles, folderGraph, readStructure } from '../scripts/structure.ts'
import { measureWays, readWays } from '../scripts/ways.ts'

/** Most files of each way. The goal is 30 each. */
const mostFiles = { post: 61, launch: 55, file: 6, call: 50 }

const structure = readStructure()
const measured = measureWays()
const page = readWays()

describe.each(Object.entries(mostFiles))('the way of a %s', (way, most) => {
  const files = measured[way] ?? []

  test('is on the page of the architecture, file by file; `node scripts/ways.ts` writes it', () => {
    const { said, files: listed = [] } = page.get(way) ?? {}
    expect(listed.toSorted()).toEqual(files.toSorted())
    expect(said).toBe(files.length)
  })

  test(`has at most ${most} files`, () => {
    expect(files.length).toBeGreaterThan(0)
    expect(files.length).toBeLessThanOrEqual(most)
  })
})

test('no file imports itself through others', () => {
  expect(findCycles(fileGraph(structure))).toEqual([])
})

test('no folder of a package imports upwards', () => {
  expect(findCycles(folderGraph(structure))).toEqual([])
})
