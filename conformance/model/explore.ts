import { type Fault, faults as seededFaults } from './faults.ts'
import { answeredInTheEnd, type Invariant, invariants, isAtRest } from './invariants.ts'
import type { State } from './state.ts'
import { stepsOf } from './steps.ts'
import { beginningOf, type World } from './worlds.ts'

export interface Exploration {
  /** Different states that were reached. */
  readonly states: number
  /** Steps from the beginning to the farthest one. */
  readonly depth: number
  /** Whether every state within the given depth and number was looked at, and none is left. */
  readonly isComplete: boolean
  /** The invariant that does not hold, and the shortest way there. */
  readonly violation?: { readonly invariant: Invariant; readonly trace: readonly string[] } | undefined
}

/**
 * Visits every state that can be reached, the nearest first, and checks each. Ends at the first violation, to which no shorter way
 * leads.
 */
export function explore(
  first: State,
  { maxDepth, faults = new Set() }: { readonly maxDepth: number; readonly faults?: ReadonlySet<Fault> },
): Exploration {
  const seen = new Set([hashOf(JSON.stringify(first))])
  /** For each state its name of the step that led to it, and the number of the state before. */
  const names: string[] = ['']
  const parents: number[] = [-1]
  let level: { readonly state: State; readonly index: number }[] = [{ state: first, index: 0 }]
  let depth = 0
  const traceTo = (last: number) => {
    const trace: string[] = []
    for (let index = last; index > 0; index = parents[index] as number) trace.unshift(names[index] as string)
    return trace
  }
  for (; level.length > 0 && depth < maxDepth; depth++) {
    const following: typeof level = []
    for (const { state, index } of level) {
      let canMove = false
      let violation: Exploration['violation']
      stepsOf(state, faults, (name, next) => {
        canMove = true
        const key = hashOf(JSON.stringify(next))
        if (violation || seen.has(key)) return
        seen.add(key)
        const nextIndex = names.push(name) - 1
        parents.push(index)
        following.push({ state: next, index: nextIndex })
        for (const [invariant, holds] of Object.entries(invariants))
          if (!holds(next)) violation = { invariant: invariant as Invariant, trace: traceTo(nextIndex) }
      })
      if (!violation && !canMove && !isAtRest(state))
        violation = { invariant: answeredInTheEnd, trace: traceTo(index) }
      if (violation) return { states: seen.size, depth: depth + 1, isComplete: false, violation }
    }
    level = following
  }
  return { states: seen.size, depth, isComplete: level.length === 0 }
}

/** Puts a fault into worlds, one after the other, and returns the shortest way that shows it in the first in which it does. */
export function findFault(fault: Fault, worlds: readonly World[]): Exploration['violation'] {
  for (const world of worlds) {
    const { violation } = explore(beginningOf(world), { maxDepth: 60, faults: new Set([fault]) })
    if (violation?.invariant === seededFaults[fault].breaks) return violation
  }
  return undefined
}

/** 53 bits: of a million states, two are taken for one with a chance of one in eighteen thousand. */
function hashOf(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}
