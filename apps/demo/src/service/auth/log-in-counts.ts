import { createHash } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import type { Database } from '../database/tables.ts'

/** Where the log-in library counts requests by address and path. */
type RateLimitStorage = NonNullable<NonNullable<BetterAuthOptions['rateLimit']>['customStorage']>

/** See {@link logInCounts}. */
export interface LogInCounts extends RateLimitStorage {
  readonly consume: NonNullable<RateLimitStorage['consume']>
  /** Takes one back that turned out not to count. */
  readonly giveBack: (key: string) => Promise<void>
}

/**
 * Counts in the database, so that all processes of a service refuse together: one statement a request, whoever else counts
 * at the same moment.
 *
 * @param now milliseconds since 1970
 */
export function logInCounts(database: Database, now: () => number = Date.now): LogInCounts {
  return {
    // The library asks these two only where there is no `consume`.
    get: async () => undefined,
    set: async () => undefined,
    async consume(key, { window, max }) {
      const at = now()
      const endsAt = at + window * 1000
      const counted = await database
        .insertInto('log_in_counts')
        .values({ key_digest: digestOf(key), count: 1, ends_at: endsAt })
        .onConflict(conflict =>
          conflict.column('key_digest').doUpdateSet(({ eb, ref }) => {
            const isOver = eb('log_in_counts.ends_at', '<=', at)
            const next = eb('log_in_counts.count', '+', 1)
            return {
              count: eb.case().when(isOver).then(1).else(next).end(),
              ends_at: eb.case().when(isOver).then(endsAt).else(ref('log_in_counts.ends_at')).end(),
            }
          }),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirstOrThrow()
      if (counted.count <= max) return { allowed: true, retryAfter: null }
      return { allowed: false, retryAfter: Math.max(1, Math.ceil((counted.ends_at - at) / 1000)) }
    },
    async giveBack(key) {
      await database
        .updateTable('log_in_counts')
        .set(({ eb }) => ({ count: eb('count', '-', 1) }))
        .where('key_digest', '=', digestOf(key))
        .where('count', '>', 0)
        .execute()
    },
  }
}

/** Of any length, with an address in it; an index has a limit, and addresses are not to be kept. */
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
