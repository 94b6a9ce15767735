import { expect, test } from 'vitest'
import { explore } from './explore.ts'
import { type Fault, faults } from './faults.ts'
import { beginningOf, worlds } from './worlds.ts'

/** `npm run model -- --faults` prints the shortest ways. */
test.for(Object.keys(faults) as Fault[])('the model finds the fault %s', fault => {
  const finds = (world: (typeof worlds)[number]) =>
    explore(beginningOf(world), { maxDepth: 60, faults: new Set([fault]) }).violation !== undefined
  expect(worlds.some(finds)).toBe(true)
})
