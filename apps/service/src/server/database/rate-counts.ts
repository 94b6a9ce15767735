import { createHash } from 'node:crypto'
import type { Database } from './tables.ts'

interface CountOptions {
  /** How long counts of a key last, from the first one. */
  readonly windowMs: number
  readonly now: number
  /** Default 1. */
  readonly add?: number
}

/** Counts by a key in the database, for all processes on it, in one atomic statement. */
export async function countRate(database: Database, key: string, { windowMs, now, add = 1 }: CountOptions) {
  const endsAt = now + windowMs
  const { count, ends_at } = await database
    .insertInto('rate_counts')
    .values({ key_digest: digestOf(key), count: add, ends_at: endsAt })
    .onConflict(conflict =>
      conflict.column('key_digest').doUpdateSet(({ eb, ref }) => {
        const isOver = eb('rate_counts.ends_at', '<=', now)
        const next = eb('rate_counts.count', '+', add)
        return {
          count: eb.case().when(isOver).then(add).else(next).end(),
          ends_at: eb.case().when(isOver).then(endsAt).else(ref('rate_counts.ends_at')).end(),
        }
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
  return { count, endsAt: ends_at }
}

/** Takes one count back. */
export async function uncountRate(database: Database, key: string): Promise<void> {
  await database
    .updateTable('rate_counts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('key_digest', '=', digestOf(key))
    .where('count', '>', 0)
    .execute()
}

/** A key has any length and may contain an address. Its digest fits an index and stores no address. */
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
