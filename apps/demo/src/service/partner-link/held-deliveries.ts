import type { Delivery, HeldDeliveries, ReplayGuard } from '@service-link/jwt-payload/receiver'
import type { Database } from '../database/tables.ts'

/** Deliveries that wait, in the database. */
export function heldDeliveries(database: Database): HeldDeliveries {
  return {
    async hold(purpose, { handleDigest, expiresAt }, delivery) {
      await database
        .insertInto('held_deliveries')
        .values({
          handle_digest: handleDigest,
          purpose,
          delivery: JSON.stringify(delivery),
          expires_at: expiresAt.getTime(),
        })
        // The same request, whose transaction is run again.
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },
    async take(purpose, handleDigest, now) {
      const row = await database
        .deleteFrom('held_deliveries')
        .where('handle_digest', '=', handleDigest)
        .where('purpose', '=', purpose)
        .returning(['delivery', 'expires_at'])
        .executeTakeFirst()
      if (!row || Number(row.expires_at) <= now.getTime()) return undefined
      const delivery: Delivery = JSON.parse(row.delivery)
      return delivery
    },
  }
}

/** Tokens that were used, in the database. */
export function replayGuard(database: Database): ReplayGuard {
  return {
    async consume({ key, expiresAt, requestId }) {
      const taken = await database
        .insertInto('used_tokens')
        .values({ token_key: key, expires_at: expiresAt.getTime(), request_id: requestId })
        .onConflict(conflict => conflict.doNothing())
        .returning('token_key')
        .executeTakeFirst()
      if (taken) return 'taken'
      const before = await database
        .selectFrom('used_tokens')
        .select('request_id')
        .where('token_key', '=', key)
        .executeTakeFirst()
      return before?.request_id === requestId ? 'again' : 'used'
    },
  }
}
