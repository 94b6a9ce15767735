import { type Exploration, explore } from './explore.ts'
import { type Fault, faults } from './faults.ts'
import { beginningOf, type World } from './worlds.ts'

/** Puts a fault into worlds, one after the other, and returns the shortest way that shows it in the first in which it does. */
export function findFault(fault: Fault, worlds: readonly World[]): Exploration['violation'] {
  for (const world of worlds) {
    const { violation } = explore(beginningOf(world), { maxDepth: 60, faults: new Set([fault]) })
    if (violation?.invariant === faults[fault].breaks) return violation
  }
  return undefined
}
