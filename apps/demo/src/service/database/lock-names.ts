import { createHash } from 'node:crypto'
import { PostgresAdapter, sql } from 'kysely'
import type { Database } from './tables.ts'

/**
 * Holds names until the transaction ends; another transaction that wants one of them waits. On the embedded database
 * nothing is to be done: its transactions run one after the other.
 *
 * @param transaction must be one
 * @param names anything that tells what is being made, such as `["person", 7, "c-1"]` as JSON
 */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  if (!(transaction.getExecutor().adapter instanceof PostgresAdapter)) return
  // In one order for everybody, so that two transactions never wait for each other.
  const keys = [...new Set(names.map(keyOf))].sort((a, b) => (a < b ? -1 : 1)).map(String)
  await sql`select pg_advisory_xact_lock(key) from unnest(${keys}::bigint[]) as key`.execute(transaction)
}

function keyOf(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE()
}
