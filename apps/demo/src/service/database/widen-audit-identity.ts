import { type Kysely, sql } from 'kysely'
import type { DatabaseDialect } from './dialect.ts'
import type { Tables } from './tables.ts'

const former = 'former_audit_entries'

/**
 * Tells entries of the audit log apart by their employee as well: two links that were ended by one request are two entries.
 * The embedded database cannot take a constraint off a table, so there the table is made anew.
 */
export async function widenAuditIdentity(db: Kysely<Tables>, dialect: DatabaseDialect): Promise<void> {
  if (dialect.name === 'postgres')
    await db.schema.alterTable('audit_entries').dropConstraint('audit_entries_once').execute()
  else await copyTable(db, dialect)
  await db.schema
    .createIndex('audit_entries_once')
    .unique()
    .on('audit_entries')
    .columns(['request_id', 'event', 'outcome'])
    // Two that are null would be two.
    .expression(sql`coalesce(employee_digest, '')`)
    .execute()
}

async function copyTable(db: Kysely<Tables>, dialect: DatabaseDialect): Promise<void> {
  await db.schema.dropIndex('audit_entries_by_time').execute()
  await db.schema.alterTable('audit_entries').renameTo(former).execute()
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
    .execute()
  const columns = sql`id, at, request_id, event, outcome, partner_id, organization_id, account_id, employee_digest`
  await sql`insert into audit_entries (${columns}) select ${columns} from ${sql.table(former)}`.execute(db)
  await db.schema.dropTable(former).execute()
  await db.schema.createIndex('audit_entries_by_time').on('audit_entries').column('at').execute()
}
