import { sql } from 'kysely'
import type { DatabaseDialect } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'

/** Most rows that one statement deletes, so that others need not wait long. */
const batchSize = 500

const dayMs = 24 * 60 * 60 * 1000

interface CleanUpOptions {
  readonly database: Database
  readonly dialectName: DatabaseDialect['name']
  readonly auditDays: number
  readonly now: Date
}

/** Tables with rows that expire: the key and the time column. */
interface Expiring {
  readonly table: string
  readonly key: string
  readonly column: string
  /** Rows with this value or an earlier one have expired. */
  readonly at: number | string | Date
}

/**
 * Deletes expired rows in small steps: waiting deliveries, which contain a person's data; used tokens; counts;
 * sessions; old entries of the audit log, and of the days on which workouts were done.
 */
export async function cleanUp(options: CleanUpOptions): Promise<void> {
  for (const expiring of whatExpires(options)) while ((await deleteBatch(options, expiring)) === batchSize);
}

function whatExpires({ auditDays, now }: CleanUpOptions): readonly Expiring[] {
  const ms = now.getTime()
  const oldest = new Date(ms - auditDays * dayMs).toISOString()
  const lastYear = new Date(ms - 365 * dayMs).toISOString().slice(0, 10)
  return [
    { table: 'held_deliveries', key: 'handle_digest', column: 'expires_at', at: ms },
    { table: 'used_tokens', key: 'token_key', column: 'expires_at', at: ms },
    { table: 'rate_counts', key: 'key_digest', column: 'ends_at', at: ms },
    { table: 'auth_sessions', key: 'token', column: 'expiresAt', at: now },
    { table: 'frame_sessions', key: 'token', column: 'expiresAt', at: now },
    { table: 'auth_verifications', key: 'id', column: 'expiresAt', at: now },
    { table: 'consumer_sessions', key: 'id', column: 'expiresAt', at: now },
    { table: 'audit_entries', key: 'id', column: 'at', at: oldest },
    { table: 'workout_days', key: 'id', column: 'day', at: lastYear },
  ]
}

/** @returns number of deleted rows */
async function deleteBatch(
  { database, dialectName }: CleanUpOptions,
  { table, key, column, at }: Expiring,
): Promise<number> {
  // Several processes clean up one PostgreSQL. Each skips the rows that another one deletes.
  const locking = dialectName === 'postgres' ? sql`for update skip locked` : sql``
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in
    (select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(column)} <= ${at} limit ${batchSize}
      ${locking})`.execute(database)
  return Number(numAffectedRows)
}
