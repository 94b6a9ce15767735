import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fileGraph,
  findCycles,
  folderGraph,
  readArchitecture,
  readStructure,
  root,
} from '../scripts/structure.ts'

/** Most files of one way. */
const mostFiles = 30

const structure = readStructure()
const graph = fileGraph(structure)

/** Source file → the files that it imports. An entry only lists what others wrote, so it joins nothing. */
const imports = new Map(
  [...structure.keys()].filter(path => !path.endsWith('/index.ts')).map(path => [path, importsOf(path)]),
)

const page = readArchitecture()

const ways = {
  post: 'From a post to the contact in focus',
  launch: 'From a second launch to the page',
  call: 'From selectPerson() to its reply',
  file: 'From an XML file to the page',
}

/** Files that may run during a way: words, limits, and whatever watches. */
const beside = page.get('Beside the ways')?.flat() ?? []

/** Files of the program's entry and of a browser do not run in the measurement; their imports are checked. */
const isElsewhere = (path: string) => /\/src\/(cli|web)\/|window-engine\/src\/(chromium|page)\//.test(path)

const measured: Record<string, string[]> = JSON.parse(
  execFileSync(
    process.execPath,
    ['-C', '@service-link/source', join(root, 'apps/demo/test/support/measure-ways.ts')],
    {
      encoding: 'utf8',
      maxBuffer: 10_000_000,
    },
  ),
)

describe.each(Object.entries(ways))('the way of a %s', (name, title) => {
  const parts = page.get(title) ?? []
  const files = parts.flat()

  test(`has at most ${mostFiles} files, each once`, () => {
    expect(files.length).toBeGreaterThan(10)
    expect(files.length).toBeLessThanOrEqual(mostFiles)
    expect(new Set(files).size).toBe(files.length)
  })

  test('leads from file to file by imports', () => {
    for (const [first = '', ...others] of parts) {
      expect(structure.has(first), first).toBe(true)
      const earlier = [first]
      for (const path of others) {
        const isJoined = earlier.some(other => areJoined(other, path))
        expect(isJoined, `${path} is not joined with a file before it`).toBe(true)
        earlier.push(path)
      }
    }
  })

  test('names each file that runs, and none that does not', () => {
    const ran = measured[name]?.filter(path => !path.includes('/testing/')) ?? []
    expect(ran.filter(path => !files.includes(path) && !beside.includes(path))).toEqual([])
    expect(files.filter(path => !ran.includes(path) && !isElsewhere(path))).toEqual([])
  })
})

test('the files beside the ways exist', () => {
  expect(beside.filter(path => !graph.has(path))).toEqual([])
})

test('no file imports itself through others', () => {
  expect(findCycles(graph)).toEqual([])
})

test('no folder of a package imports upwards', () => {
  expect(findCycles(folderGraph(structure))).toEqual([])
})

/** Whether one file imports the other, or a third file puts the two together. */
function areJoined(one: string, other: string): boolean {
  return [...imports].some(
    ([path, files]) => (path === one || files.has(one)) && (path === other || files.has(other)),
  )
}

/** Imported files. For an import of a package's entry: the files that the entry takes the names from. */
function importsOf(path: string): Set<string> {
  const files = new Set<string>()
  for (const [target, names] of structure.get(path)?.takes ?? []) {
    files.add(target)
    if (!target.endsWith('/index.ts')) continue
    for (const [source, given] of structure.get(target)?.takes ?? [])
      if ([...given].some(name => names.has(name))) files.add(source)
  }
  return files
}
