import { describe, expect, it } from 'vitest'
import { explore } from './explore.ts'
import { type Fault, faults } from './faults.ts'
import { beginningOf, worlds } from './worlds.ts'

describe('the model of one desktop', () => {
  it.for(worlds)('keeps every invariant in all states: $name', world => {
    const { isComplete, violation } = explore(beginningOf(world), { maxDepth: 60 })
    expect({ isComplete, violation }).toEqual({ isComplete: true, violation: undefined })
  })

  it.for(Object.keys(faults) as Fault[])('finds the fault %s', fault => {
    const found = worlds.map(world => explore(beginningOf(world), { maxDepth: 60, faults: new Set([fault]) }))
    expect(found.filter(({ violation }) => violation)).not.toEqual([])
  })
})
