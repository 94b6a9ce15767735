import type { Account, AccountLinks } from '../ports/accounts.ts'
import type { EmployeeKey } from '../ports/delivery.ts'
import type { JournaledMap } from './journaled-map.ts'

/** Links of employees to accounts, in memory. */
export function createMemoryAccountLinks(
  links: JournaledMap<string, string>,
  accounts: ReadonlyMap<string, Account>,
): AccountLinks {
  const accountOf = (employee: EmployeeKey) => accounts.get(links.get(keyOf(employee)) ?? '')
  return {
    find: async employee => accountOf(employee),
    link: async (employee, accountId) => {
      if (accounts.has(accountId) && !accountOf(employee)) links.set(keyOf(employee), accountId)
      return accounts.has(accountId) ? accountOf(employee) : undefined
    },
  }
}

function keyOf({ partnerId, organizationId, employeeId }: EmployeeKey): string {
  return JSON.stringify([partnerId, organizationId, employeeId])
}
