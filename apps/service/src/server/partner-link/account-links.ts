import { createHash } from 'node:crypto'
import {
  type Account,
  type AccountLinks,
  type EmployeeKey,
  employeeDigestOf,
  type OrganizationKey,
} from '@service-link/receiver'
import { lockNames, needsLocks } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'

export function accountLinks(database: Database): AccountLinks {
  const find = async (employee: EmployeeKey): Promise<Account | undefined> => {
    const row = await database
      .selectFrom('partner_employees')
      .innerJoin('auth_users', 'auth_users.id', 'partner_employees.account_id')
      .select(['auth_users.id', 'auth_users.name as displayName', 'last_end as lastEnd'])
      .where('employee_digest', '=', await employeeDigestOf(employee))
      // An end waits for the visit, or the visit sees the end.
      .$if(needsLocks(database), query => query.forShare('partner_employees'))
      .executeTakeFirst()
    return row && { ...row, lastEnd: row.lastEnd ?? undefined }
  }
  return {
    find,
    async link(employee, accountId) {
      const account = await database
        .selectFrom('auth_users')
        .select('organizationId')
        .where('id', '=', accountId)
        .executeTakeFirst()
      if (!account) return undefined
      if (!(await bindOrganization(database, employee, account.organizationId))) return 'other-organization'
      await database
        .insertInto('partner_employees')
        .values({
          employee_digest: await employeeDigestOf(employee),
          partner_id: employee.partnerId,
          partner_organization_id: employee.organizationId,
          employee_id: employee.employeeId,
          account_id: accountId,
          linked_at: new Date().toISOString(),
        })
        .onConflict(conflict => conflict.doNothing())
        .execute()
      return find(employee)
    },
    async unlink(linkId, accountId) {
      const row = await database
        .deleteFrom('partner_employees')
        .where('employee_digest', '=', linkId)
        .where('account_id', '=', accountId)
        .returning([
          'partner_id as partnerId',
          'partner_organization_id as organizationId',
          'employee_id as employeeId',
        ])
        .executeTakeFirst()
      return row
    },
    async endContext(linkId, endId) {
      // First: it waits for a log-in that takes one at this moment, and the link of that log-in is there then.
      await database.deleteFrom('held_deliveries').where('employee_digest', '=', linkId).execute()
      await database
        .updateTable('partner_employees')
        .set({ last_end: endId })
        .where('employee_digest', '=', linkId)
        .execute()
    },
  }
}

/**
 * Binds a partner's organization to one of the service, unless it is bound. Returns whether accounts of
 * `organizationId` may be linked.
 */
async function bindOrganization(
  transaction: Database,
  partnerOrganization: OrganizationKey,
  organizationId: number,
): Promise<boolean> {
  const digest = organizationDigestOf(partnerOrganization)
  await lockNames(transaction, [`partner organization ${digest}`])
  const bound = await transaction
    .selectFrom('partner_organizations')
    .select('organization_id')
    .where('organization_digest', '=', digest)
    .execute()
  if (bound.length > 0) return bound.some(row => row.organization_id === organizationId)
  await putOrganization(transaction, partnerOrganization, organizationId)
  return true
}

/** Allows links of a partner's organization to accounts of one more organization of the service. */
export async function putOrganization(
  database: Database,
  partnerOrganization: OrganizationKey,
  organizationId: number,
): Promise<void> {
  await database
    .insertInto('partner_organizations')
    .values({
      organization_digest: organizationDigestOf(partnerOrganization),
      organization_id: organizationId,
      partner_id: partnerOrganization.partnerId,
      partner_organization_id: partnerOrganization.organizationId,
      bound_at: new Date().toISOString(),
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** The identifiers of partners may be longer than an entry of PostgreSQL's indexes. */
function organizationDigestOf({ partnerId, organizationId }: OrganizationKey): string {
  return createHash('sha256')
    .update(JSON.stringify([partnerId, organizationId]))
    .digest('base64url')
}
