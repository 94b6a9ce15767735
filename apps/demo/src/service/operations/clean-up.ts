import { sql } from 'kysely'
import type { DatabaseDialect } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'

/** Most rows that one statement deletes, so that none holds others up for long. */
const batchSize = 500

const dayMs = 24 * 60 * 60 * 1000

interface CleanUpOptions {
  readonly database: Database
  readonly dialectName: DatabaseDialect['name']
  /** How long entries of the audit log are kept, in days. */
  readonly auditDays: number
  readonly now: Date
}

/** What expires, by its table: the key of a row, and when it is over. */
interface Expiring {
  readonly table: string
  readonly key: readonly [string, ...string[]]
  readonly column: string
  /** Rows whose column is at this value or before are over. */
  readonly at: number | string | Date
}

/**
 * Deletes what is over: deliveries that waited, which hold a person's data, used tokens that would be refused for their age
 * anyway, counts, sessions, and old entries of the audit log. In small steps, beside the requests.
 */
export async function cleanUp(options: CleanUpOptions): Promise<void> {
  for (const expiring of whatExpires(options)) while ((await deleteBatch(options, expiring)) === batchSize);
}

function whatExpires({ dialectName, auditDays, now }: CleanUpOptions): readonly Expiring[] {
  const ms = now.getTime()
  const minute = Math.floor(ms / 60_000)
  // As the log-in library writes times: ISO 8601 in the embedded database, a date in PostgreSQL.
  const time = dialectName === 'sqlite' ? now.toISOString() : now
  const oldest = new Date(ms - auditDays * dayMs).toISOString()
  return [
    { table: 'held_deliveries', key: ['handle_digest'], column: 'expires_at', at: ms },
    { table: 'used_tokens', key: ['token_key'], column: 'expires_at', at: ms },
    { table: 'log_in_counts', key: ['key_digest'], column: 'ends_at', at: ms },
    { table: 'partner_posts', key: ['partner_id', 'minute'], column: 'minute', at: minute - 2 },
    { table: 'auth_sessions', key: ['id'], column: 'expiresAt', at: time },
    { table: 'frame_sessions', key: ['id'], column: 'expiresAt', at: time },
    { table: 'auth_verifications', key: ['id'], column: 'expiresAt', at: time },
    { table: 'consumer_sessions', key: ['id'], column: 'expiresAt', at: time },
    { table: 'audit_entries', key: ['id'], column: 'at', at: oldest },
  ]
}

/** @returns how many rows were deleted */
async function deleteBatch(
  { database, dialectName }: CleanUpOptions,
  { table, key, column, at }: Expiring,
): Promise<number> {
  // Several processes clean up one PostgreSQL: each leaves alone what another is deleting.
  const locking = dialectName === 'postgres' ? sql`for update skip locked` : sql``
  const keys = sql.join(key.map(name => sql.ref(name)))
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where (${keys}) in
    (select ${keys} from ${sql.table(table)} where ${sql.ref(column)} <= ${at} limit ${batchSize}
      ${locking})`.execute(database)
  return Number(numAffectedRows)
}
