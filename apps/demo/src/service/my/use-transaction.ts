import type { Database } from '../database/tables.ts'
import { type LogInTransaction, transactionSeconds } from './log-in-transaction.ts'

/**
 * Uses a log-in's transaction up, for all processes on the database and for as long as its cookie could be sent: a copy of the
 * cookie is worth nothing once its owner has come back.
 *
 * @returns `false` when it was used before
 */
export async function useTransaction(
  database: Database,
  { state, startedAt }: LogInTransaction,
): Promise<boolean> {
  const taken = await database
    .insertInto('used_tokens')
    .values({
      token_key: `consumer-log-in:${state}`,
      expires_at: (startedAt + transactionSeconds + 60) * 1000,
      request_id: crypto.randomUUID(),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('token_key')
    .executeTakeFirst()
  return taken !== undefined
}
