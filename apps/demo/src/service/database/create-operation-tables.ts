import type { Kysely } from 'kysely'
import type { DatabaseDialect } from './dialect.ts'

/** What happened and who may post: the audit log, the posts counted a minute, and the partners. */
export async function createOperationTables(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
  await db.schema
    .createTable('audit_entries')
    .addColumn('id', 'integer', column => dialect.identity(column))
    .addColumn('at', 'text', column => column.notNull())
    .addColumn('request_id', 'text', column => column.notNull())
    .addColumn('event', 'text', column => column.notNull())
    .addColumn('outcome', 'text', column => column.notNull())
    .addColumn('partner_id', 'text', column => column.notNull())
    .addColumn('organization_id', 'text')
    .addColumn('account_id', 'text')
    .addColumn('employee_digest', 'text')
    // From a transaction that was run again: one entry.
    .addUniqueConstraint('audit_entries_once', ['request_id', 'event', 'outcome'])
    .execute()
  await db.schema.createIndex('audit_entries_by_time').on('audit_entries').column('at').execute()
  await db.schema
    .createTable('partner_posts')
    .addColumn('partner_id', 'text', column => column.notNull())
    .addColumn('minute', 'bigint', column => column.notNull())
    .addColumn('count', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('partner_posts_key', ['partner_id', 'minute'])
    .execute()
  await db.schema
    .createTable('partners')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('registration', 'text', column => column.notNull())
    .addColumn('updated_at', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('partner_versions')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('version', 'bigint', column => column.notNull())
    .execute()
}
