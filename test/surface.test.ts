import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compareSurfaces, missingSizes, neededSizes, readSizes } from '../scripts/release-sizes.ts'
import { readSurface, surfaceFile } from '../scripts/surface.ts'

test('surface.txt has what users of the packages build on', async () => {
  const [written, now] = [readFileSync(surfaceFile, 'utf8'), await readSurface()]
  const advice = 'Run npm run surface, and npm run changeset: major for a loss (minor below 1.0), else minor'
  expect(compareSurfaces(written, now), advice).toEqual({ removed: [], added: [] })
  expect(now, advice).toBe(written)
})

test('change sets have the size that changes of the surface since the last release need', () => {
  expect(missingSizes(readFileSync(surfaceFile, 'utf8'))).toEqual([])
})

test.each([
  ['a renamed export', 'x . function open(a)', 'x . function show(a)', 'major'],
  ['a member that is gone', 'x . type T { a, b? }', 'x . type T { a }', 'major'],
  ['a member that was optional', 'x . type T { a? }', 'x . type T { a }', 'major'],
  ['another value', 'x limit max = 2', 'x limit max = 1', 'major'],
  ['a new member', 'x . type T { a }', 'x . type T { a, b? }', 'minor'],
  ['a new code', 'x code ERR_A', 'x code ERR_A\nx code ERR_B', 'minor'],
  ['nothing', 'x code ERR_A', 'x code ERR_A', undefined],
])('%s needs the right size', (_name, former, now, size) => {
  const change = compareSurfaces(former, now)
  expect(neededSizes(change, '1.4.0').get('x')).toBe(size)
  expect(neededSizes(change, '0.4.0').get('x')).toBe(size && 'minor')
})

test('the largest size of several change sets counts', () => {
  const given = readSizes([
    "---\n'@service-link/receiver': minor\n---\n",
    '---\n"@service-link/receiver": patch\n---\n',
  ])
  expect([...given]).toEqual([['receiver', 'minor']])
})
