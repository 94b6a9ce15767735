import type { Kysely } from 'kysely'

/** How often an address tried to log in, counted by all processes together. */
export async function createLogInCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('log_in_counts')
    .addColumn('key_digest', 'text', column => column.primaryKey())
    .addColumn('count', 'integer', column => column.notNull())
    .addColumn('ends_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('log_in_counts_by_end').on('log_in_counts').column('ends_at').execute()
}
