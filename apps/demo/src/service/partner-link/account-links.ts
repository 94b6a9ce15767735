import {
  type Account,
  type AccountLink,
  type AccountLinks,
  type EmployeeKey,
  employeeDigestOf,
} from '@service-link/jwt-payload/receiver'
import type { Selectable } from 'kysely'
import type { Database, PartnerEmployeeTable } from '../database/tables.ts'

/** Which account an employee of a partner signs in to, in the database. */
export function accountLinks(database: Database): AccountLinks {
  const find = ({ partnerId, organizationId, employeeId }: EmployeeKey): Promise<Account | undefined> =>
    database
      .selectFrom('partner_employees')
      .innerJoin('auth_users', 'auth_users.id', 'partner_employees.account_id')
      .select(['auth_users.id', 'auth_users.name as displayName'])
      .where('partner_id', '=', partnerId)
      .where('partner_organization_id', '=', organizationId)
      .where('employee_id', '=', employeeId)
      .executeTakeFirst()
  const rowsOf = (accountId: string) =>
    database
      .selectFrom('partner_employees')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('linked_at')
      .execute()
  return {
    find,
    async link(employee, accountId) {
      const account = await database
        .selectFrom('auth_users')
        .select('id')
        .where('id', '=', accountId)
        .executeTakeFirst()
      if (!account) return undefined
      await database
        .insertInto('partner_employees')
        .values({
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
    list: async accountId => Promise.all((await rowsOf(accountId)).map(linkOf)),
    async unlink(linkId, accountId) {
      for (const row of await rowsOf(accountId)) {
        const link = await linkOf(row)
        if (link.linkId !== linkId) continue
        const employee = employeeOf(row)
        const { numDeletedRows } = await database
          .deleteFrom('partner_employees')
          .where('partner_id', '=', employee.partnerId)
          .where('partner_organization_id', '=', employee.organizationId)
          .where('employee_id', '=', employee.employeeId)
          // Another request may have ended it meanwhile.
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        return numDeletedRows === 1n ? { ...link, employee } : undefined
      }
      return undefined
    },
  }
}

async function linkOf(row: Selectable<PartnerEmployeeTable>): Promise<AccountLink> {
  const employee = employeeOf(row)
  const { partnerId, organizationId } = employee
  const linkedAt = new Date(row.linked_at)
  return { linkId: await employeeDigestOf(employee), partnerId, organizationId, linkedAt }
}

function employeeOf(row: Selectable<PartnerEmployeeTable>): EmployeeKey {
  return {
    partnerId: row.partner_id,
    organizationId: row.partner_organization_id,
    employeeId: row.employee_id,
  }
}
