import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8')

interface Requirements {
  readonly requirements: readonly { readonly id: string; readonly text: string }[]
}
interface Vectors {
  readonly vectors?: readonly { readonly requirement?: string; readonly requirements?: readonly string[] }[]
}

const { requirements }: Requirements = JSON.parse(read('conformance/vectors/requirements.json'))
const known = new Set(requirements.map(({ id }) => id))

/** Every id cited by a test, a step of the demo's check or a vector. */
function citedIds(): Map<string, string> {
  const cited = new Map<string, string>()
  const sources = [
    'packages/*/src/**/*.test.ts',
    'packages/*/test/**/*.ts',
    'apps/*/test/**/*.ts',
    'apps/demo/src/check/*.ts',
  ].flatMap(pattern => globSync(pattern, { cwd: root }))
  const vectorFiles = globSync('conformance/vectors/*.json', { cwd: root })
  for (const file of [...sources, ...vectorFiles])
    for (const [, id = ''] of read(file).matchAll(/\[((?:\d\.)?\d-[a-z_-]+|\d\.\d-[\w-]+)\]/g))
      cited.set(id, file)
  for (const file of vectorFiles) {
    const { vectors = [] }: Vectors = JSON.parse(read(file))
    for (const { requirement, requirements: several = [] } of vectors)
      for (const id of requirement ? [requirement, ...several] : several) cited.set(id, file)
  }
  return cited
}

test('each requirement of the specification is cited by a test, a vector or the demo’s check', () => {
  const cited = citedIds()
  expect(requirements.map(({ id }) => id).filter(id => !cited.has(id))).toEqual([])
})

test('every cited requirement exists', () => {
  expect([...citedIds()].filter(([id]) => !known.has(id))).toEqual([])
})

test('requirement ids are unique', () => {
  expect(known.size).toBe(requirements.length)
})
