import type { Kysely } from 'kysely'
import { putOrganization } from '../partner-link/partner-organizations.ts'
import type { Tables } from './tables.ts'

/** Binds partners' organizations to those that their links lead to, and counts the links that there are as known to their owners. */
export async function bindPartnerOrganizations(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('partner_organizations')
    .addColumn('organization_digest', 'text', column => column.notNull())
    .addColumn('organization_id', 'integer', column => column.notNull().references('organizations.id'))
    .addColumn('partner_id', 'text', column => column.notNull())
    .addColumn('partner_organization_id', 'text', column => column.notNull())
    .addColumn('bound_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('partner_organizations_key', ['organization_digest', 'organization_id'])
    .execute()
  const bound = await db
    .selectFrom('partner_employees')
    .innerJoin('auth_users', 'auth_users.id', 'partner_employees.account_id')
    .select(['partner_id as partnerId', 'partner_organization_id as organizationId'])
    .select('auth_users.organizationId as boundId')
    .distinct()
    .execute()
  for (const { boundId, ...partnerOrganization } of bound)
    await putOrganization(db, partnerOrganization, boundId)
  await db.schema.alterTable('partner_employees').addColumn('seen_at', 'text').execute()
  await db
    .updateTable('partner_employees')
    .set(({ ref }) => ({ seen_at: ref('linked_at') }))
    .execute()
}
