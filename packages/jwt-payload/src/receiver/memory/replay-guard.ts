import type { ReplayGuard } from '../ports/replay.ts'
import type { JournaledMap } from './journaled-map.ts'

/** How many keys are looked at for each one taken; more than one, so that memory shrinks again. */
const sweptPerCall = 2

/** A replay guard in memory. Forgets keys that expired, a few with each call, so that no call takes long. */
export function createMemoryReplayGuard(keys: JournaledMap<string, Date>, clock: () => Date): ReplayGuard {
  let sweep = keys.entries()[Symbol.iterator]()
  return {
    consume: async (key, expiresAt) => {
      const now = clock()
      for (let count = 0; count < sweptPerCall; count++) {
        const next = sweep.next()
        if (next.done) {
          sweep = keys.entries()[Symbol.iterator]()
          break
        }
        const [old, oldExpiresAt] = next.value
        if (oldExpiresAt <= now) keys.delete(old)
      }
      if (keys.get(key) !== undefined) return false
      keys.set(key, expiresAt)
      return true
    },
  }
}
