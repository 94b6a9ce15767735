import type { Account, AccountLinks, EmployeeKey } from '@service-link/jwt-payload/receiver'
import type { Database } from '../database/tables.ts'

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
  }
}
