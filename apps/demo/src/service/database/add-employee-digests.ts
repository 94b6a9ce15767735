import { employeeDigestOf } from '@service-link/jwt-payload/receiver'
import type { Kysely } from 'kysely'
import type { DatabaseDialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/**
 * Finds the link of an employee by one digest: the identifiers of partners may be longer than an entry of PostgreSQL's
 * indexes. There the primary key over the identifiers goes; the embedded database, which has no such limit, keeps it.
 */
export async function addEmployeeDigests(db: Kysely<Tables>, dialect: DatabaseDialect): Promise<void> {
  await db.schema
    .alterTable('partner_employees')
    .addColumn('employee_digest', 'text', column => column.notNull().defaultTo(''))
    .execute()
  const rows = await db
    .selectFrom('partner_employees')
    .select(['partner_id', 'partner_organization_id', 'employee_id'])
    .execute()
  for (const row of rows) {
    const { partner_id: partnerId, partner_organization_id: organizationId, employee_id: employeeId } = row
    await db
      .updateTable('partner_employees')
      .set({ employee_digest: await employeeDigestOf({ partnerId, organizationId, employeeId }) })
      .where('partner_id', '=', partnerId)
      .where('partner_organization_id', '=', organizationId)
      .where('employee_id', '=', employeeId)
      .execute()
  }
  if (dialect.name === 'postgres')
    await db.schema.alterTable('partner_employees').dropConstraint('partner_employees_key').execute()
  await db.schema
    .createIndex('partner_employees_by_digest')
    .unique()
    .on('partner_employees')
    .column('employee_digest')
    .execute()
}
