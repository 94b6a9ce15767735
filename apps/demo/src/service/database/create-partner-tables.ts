import type { Kysely } from 'kysely'
import type { DatabaseDialect } from './dialect.ts'

/** What the partner link remembers: who is whom, which tokens were used, what is held for one use. */
export async function createPartnerTables(db: Kysely<unknown>, _dialect: DatabaseDialect): Promise<void> {
  await db.schema
    .createTable('partner_employees')
    .addColumn('partner_id', 'text', column => column.notNull())
    .addColumn('partner_organization_id', 'text', column => column.notNull())
    .addColumn('employee_id', 'text', column => column.notNull())
    .addColumn('account_id', 'text', column =>
      column.notNull().references('auth_users.id').onDelete('cascade'),
    )
    .addColumn('linked_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('partner_employees_key', [
      'partner_id',
      'partner_organization_id',
      'employee_id',
    ])
    .execute()
  await db.schema
    .createTable('used_tokens')
    .addColumn('token_key', 'text', column => column.primaryKey())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('held_deliveries')
    .addColumn('handle_digest', 'text', column => column.primaryKey())
    .addColumn('purpose', 'text', column => column.notNull())
    .addColumn('delivery', 'text', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
  for (const table of ['used_tokens', 'held_deliveries']) {
    await db.schema.createIndex(`${table}_by_expiry`).on(table).column('expires_at').execute()
  }
}
