import { employeeDigestOf } from '../effects/employee-digest.ts'
import type { Account, AccountLink, AccountLinks, EndedLink } from '../ports/accounts.ts'
import type { EmployeeKey } from '../ports/delivery.ts'
import type { JournaledMap } from './journaled-map.ts'

/** A link as the memory keeps it. */
export interface MemoryLink extends EndedLink {
  readonly accountId: string
}

/** Links of employees to accounts, in memory, by the digest of the employee. */
export function createMemoryAccountLinks(
  links: JournaledMap<string, MemoryLink>,
  accounts: ReadonlyMap<string, Account>,
  clock: () => Date,
): AccountLinks {
  const accountOf = async (employee: EmployeeKey) =>
    accounts.get(links.get(await employeeDigestOf(employee))?.accountId ?? '')
  return {
    find: accountOf,
    link: async (employee, accountId) => {
      if (!accounts.has(accountId)) return undefined
      const linkId = await employeeDigestOf(employee)
      const { partnerId, organizationId } = employee
      if (!links.get(linkId))
        links.set(linkId, { linkId, partnerId, organizationId, linkedAt: clock(), employee, accountId })
      return accountOf(employee)
    },
    list: async accountId =>
      Array.from(links.values())
        .filter(link => link.accountId === accountId)
        .map(shownLink),
    unlink: async (linkId, accountId) => {
      const link = links.get(linkId)
      if (link?.accountId !== accountId) return undefined
      links.delete(linkId)
      return { ...shownLink(link), employee: link.employee }
    },
  }
}

function shownLink({ linkId, partnerId, organizationId, linkedAt }: MemoryLink): AccountLink {
  return { linkId, partnerId, organizationId, linkedAt }
}
