import { expect, test } from 'vitest'
import { findFault } from './explore.ts'
import { type Fault, faults } from './faults.ts'
import { answeredInTheEnd, invariants } from './invariants.ts'
import { worlds } from './worlds.ts'

/** `npm run model -- --faults` prints the ways. */
test.for(Object.keys(faults) as Fault[])('the model finds the fault %s', fault => {
  expect(findFault(fault, worlds)).toBeDefined()
})

test('each invariant is broken by a fault', () => {
  const broken = new Set(Object.values(faults).map(({ breaks }) => breaks))
  expect([...broken].sort()).toEqual([...Object.keys(invariants), answeredInTheEnd].sort())
})
