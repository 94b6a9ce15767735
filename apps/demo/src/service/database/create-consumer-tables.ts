import type { CreateTableBuilder, Kysely } from 'kysely'
import { identityKeyOf } from '../persons/identity-key.ts'
import type { DatabaseDialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/** Persons that one step of {@link fillIdentityKeys} reads. */
const batchSize = 1000

/**
 * The consumer app: who is logged in through an electronic ID, in tables of their own, and the identity number of persons,
 * found across organizations by an index.
 */
export async function createConsumerTables(db: Kysely<Tables>, dialect: DatabaseDialect): Promise<void> {
  const { timestampType } = dialect
  const withTimes = <Name extends string>(table: CreateTableBuilder<Name>) =>
    table
      .addColumn('createdAt', timestampType, column => column.notNull())
      .addColumn('updatedAt', timestampType, column => column.notNull())
  await withTimes(db.schema.createTable('consumer_users'))
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('email', 'text', column => column.notNull().unique())
    .addColumn('emailVerified', 'boolean', column => column.notNull())
    .addColumn('image', 'text')
    .addColumn('identityNumber', 'text', column => column.notNull())
    .execute()
  await withTimes(db.schema.createTable('consumer_sessions'))
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('token', 'text', column => column.notNull().unique())
    .addColumn('userId', 'text', column =>
      column.notNull().references('consumer_users.id').onDelete('cascade'),
    )
    .addColumn('expiresAt', timestampType, column => column.notNull())
    .addColumn('ipAddress', 'text')
    .addColumn('userAgent', 'text')
    .execute()
  await db.schema.createIndex('consumer_sessions_by_user').on('consumer_sessions').column('userId').execute()
  await db.schema.createIndex('consumer_users_by_creation').on('consumer_users').column('createdAt').execute()
  await db.schema.alterTable('persons').addColumn('identity_key', 'text').execute()
  await fillIdentityKeys(db)
  await db.schema.createIndex('persons_by_identity_key').on('persons').column('identity_key').execute()
}

/** Persons that were there before the column was. */
async function fillIdentityKeys(db: Kysely<Tables>): Promise<void> {
  let lastId = 0
  for (;;) {
    const rows = await db
      .selectFrom('persons')
      .select(['id', 'ssn', 'custom_id', 'date_of_birth'])
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const row of rows) {
      const identityKey = identityKeyOf(row)
      if (identityKey === null) continue
      await db.updateTable('persons').set({ identity_key: identityKey }).where('id', '=', row.id).execute()
    }
    const last = rows.at(-1)
    if (!last) return
    lastId = last.id
  }
}
