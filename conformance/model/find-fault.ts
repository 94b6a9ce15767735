import { type Exploration, explore } from './explore.ts'
import type { Fault } from './faults.ts'
import { beginningOf, type World } from './worlds.ts'

/** Puts a fault into worlds, and returns the shortest way that shows it in one of them; `undefined` if none does. */
export function findFault(fault: Fault, worlds: readonly World[]): Exploration['violation'] {
  let shortest: Exploration['violation']
  for (const world of worlds) {
    const maxDepth = shortest ? shortest.trace.length - 1 : 60
    shortest = explore(beginningOf(world), { maxDepth, faults: new Set([fault]) }).violation ?? shortest
  }
  return shortest
}
