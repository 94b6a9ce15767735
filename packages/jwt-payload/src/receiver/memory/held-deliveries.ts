import type { Delivery, HoldPurpose } from '../ports/delivery.ts'
import type { HeldDeliveries } from '../ports/held-deliveries.ts'
import type { JournaledMap } from './journaled-map.ts'

/** A delivery that waits. */
export interface MemoryHeld {
  readonly purpose: HoldPurpose
  readonly expiresAt: Date
  readonly delivery: Delivery
}

/** Deliveries that wait, in memory. Those that expired are dropped when the next is held. */
export function createMemoryHeldDeliveries(
  held: JournaledMap<string, MemoryHeld>,
  clock: () => Date,
): HeldDeliveries {
  return {
    // A digest that is held already is set again to the same.
    hold: async (purpose, { handleDigest, expiresAt }, delivery) => {
      const now = clock()
      for (const [digest, old] of held.entries()) {
        // Held in the order of their times, nearly; the first that is still valid ends the search.
        if (old.expiresAt > now) break
        held.delete(digest)
      }
      held.set(handleDigest, { purpose, expiresAt, delivery })
    },
    take: async (purpose, handleDigest, now) => {
      const found = held.get(handleDigest)
      if (!found || found.purpose !== purpose) return undefined
      held.delete(handleDigest)
      return found.expiresAt > now ? found.delivery : undefined
    },
  }
}
