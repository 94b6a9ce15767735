import type { ReplayGuard } from '../ports/replay.ts'
import type { JournaledMap } from './journaled-map.ts'

/** How many keys are looked at for each one taken; more than one, so that memory shrinks again. */
const sweptPerCall = 2

/** A key that was taken. */
export interface MemoryTaken {
  readonly requestId: string
  readonly expiresAt: Date
}

/** A replay guard in memory. Forgets keys that expired, a few with each call, so that no call takes long. */
export function createMemoryReplayGuard(
  keys: JournaledMap<string, MemoryTaken>,
  clock: () => Date,
): ReplayGuard {
  let sweep = keys.entries()[Symbol.iterator]()
  return {
    consume: async ({ key, expiresAt, requestId }) => {
      const now = clock()
      for (let count = 0; count < sweptPerCall; count++) {
        const next = sweep.next()
        if (next.done) {
          sweep = keys.entries()[Symbol.iterator]()
          break
        }
        const [old, taken] = next.value
        if (taken.expiresAt <= now) keys.delete(old)
      }
      const before = keys.get(key)
      if (before !== undefined) return before.requestId === requestId ? 'again' : 'used'
      keys.set(key, { requestId, expiresAt })
      return 'taken'
    },
  }
}
