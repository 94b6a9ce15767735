import type { Kysely } from 'kysely'

/** Sessions that are over are found by an index: each visit from a partner makes one. */
export async function addExpiryIndexes(db: Kysely<unknown>): Promise<void> {
  for (const table of ['auth_sessions', 'frame_sessions', 'consumer_sessions'])
    await db.schema.createIndex(`${table}_by_expiry`).on(table).column('expiresAt').execute()
}
