import type { Delivery, Hold, HoldPurpose } from './delivery.ts'

/** Deliveries that wait. */
export interface HeldDeliveries {
  /** Keeps a delivery until `hold.expiresAt`. Again for the same digest: as once, because a transaction may be run again. */
  hold(purpose: HoldPurpose, hold: Hold, delivery: Delivery): Promise<void>
  /**
   * Takes a delivery out, atomically: of any number of calls at once exactly one gets it.
   *
   * @returns `undefined` when there is none for this digest and purpose, or when it expired at `now` or before
   */
  take(purpose: HoldPurpose, handleDigest: string, now: Date): Promise<Delivery | undefined>
}
