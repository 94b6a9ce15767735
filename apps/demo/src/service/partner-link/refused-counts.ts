import { limitKey } from '../http/limit-key.ts'

/** Options of {@link createRefusedCounts}. */
export interface RefusedCountsOptions {
  /** Length of a window in milliseconds. */
  readonly windowMs: number
  /** Milliseconds since any fixed moment. */
  readonly now: () => number
  /** Most callers that are remembered; beyond it the one is forgotten that was refused the longest ago. */
  readonly maxCallers: number
}

/** Refused posts by caller in the present window. */
export interface RefusedCounts {
  of(address: string): number
  /** @returns takes it back, as long as its window is not over */
  add(address: string): () => void
  /** Until the next window begins, in whole seconds. */
  readonly secondsLeft: number
}

/** Counts by `limitKey`; in memory, for one process, and never more than so many callers. */
export function createRefusedCounts({ windowMs, now, maxCallers }: RefusedCountsOptions): RefusedCounts {
  const counts = new Map<string, number>()
  let endsAt = now() + windowMs
  const turn = (): void => {
    if (now() < endsAt) return
    counts.clear()
    endsAt = now() + windowMs
  }
  return {
    of(address) {
      turn()
      return counts.get(limitKey(address)) ?? 0
    },
    add(address) {
      turn()
      const caller = limitKey(address)
      const count = (counts.get(caller) ?? 0) + 1
      // Put at the end: the first one of the map is the one that was refused the longest ago.
      counts.delete(caller)
      counts.set(caller, count)
      if (counts.size > maxCallers) counts.delete(counts.keys().next().value ?? '')
      const window = endsAt
      return () => {
        const present = counts.get(caller)
        if (present !== undefined && window === endsAt) counts.set(caller, present - 1)
      }
    },
    get secondsLeft() {
      return Math.max(1, Math.ceil((endsAt - now()) / 1000))
    },
  }
}
