import { createHash } from 'node:crypto'
import {
  type Account,
  type AccountLinks,
  type EmployeeKey,
  employeeDigestOf,
  type OrganizationKey,
} from '@service-link/receiver'
import { findOrganization } from '../auth/organizations.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { lockNames, runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import { StartError } from '../operations/start-error.ts'

export function accountLinks(database: Database): AccountLinks {
  const find = async (employee: EmployeeKey): Promise<Account | undefined> =>
    database
      .selectFrom('partner_employees')
      .innerJoin('auth_users', 'auth_users.id', 'partner_employees.account_id')
      .select(['auth_users.id', 'auth_users.name as displayName'])
      .where('employee_digest', '=', await employeeDigestOf(employee))
      .executeTakeFirst()
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
async function putOrganization(
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

export const allowOrganizationUsage =
  'allow-organization <partner> <organization of the partner> <organization of the service, by its name or number>'

/**
 * Allows links from a partner's organization to accounts of one more organization. Returns a sentence for the
 * operator.
 */
export async function allowOrganization(
  { database }: OpenDatabase,
  args: readonly string[],
): Promise<string> {
  const [partnerId = '', organizationId = '', wanted = '', ...more] = args
  if (wanted === '' || more.length > 0) throw new StartError(`Usage: ${allowOrganizationUsage}`)
  return runTransaction(database, async transaction => {
    const partner = await transaction
      .selectFrom('partners')
      .select('id')
      .where('id', '=', partnerId)
      .executeTakeFirst()
    if (!partner) throw new StartError('No partner of that id is registered.')
    const organization = await findOrganization(transaction, wanted)
    await putOrganization(transaction, { partnerId, organizationId }, organization.id)
    await transaction
      .insertInto('audit_entries')
      .values({
        at: new Date().toISOString(),
        request_id: crypto.randomUUID(),
        event: 'allow-organization',
        outcome: 'allowed',
        partner_id: partnerId,
        organization_id: organizationId.slice(0, 256),
      })
      .execute()
    return `Employees of ${organizationId} at ${partnerId} may be linked to accounts of ${organization.name}.`
  })
}
