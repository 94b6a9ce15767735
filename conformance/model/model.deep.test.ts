import { expect, test } from 'vitest'
import { explore } from './explore.ts'
import { beginningOf, endsWorld, largeWorld, worlds } from './worlds.ts'

test.for([...worlds, endsWorld, largeWorld])('the model keeps every invariant: $name', world => {
  const { isComplete, violation } = explore(beginningOf(world), { maxDepth: 60 })
  expect({ isComplete, violation }).toEqual({ isComplete: true, violation: undefined })
})
