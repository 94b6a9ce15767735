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
  organizations: JournaledMap<string, string>,
  accounts: ReadonlyMap<string, Account>,
  clock: () => Date,
): AccountLinks {
  const accountOf = async (employee: EmployeeKey) =>
    accounts.get(links.get(await employeeDigestOf(employee))?.accountId ?? '')
  return {
    find: accountOf,
    link: async (employee, accountId) => {
      const account = accounts.get(accountId)
      if (!account) return undefined
      const linkId = await employeeDigestOf(employee)
      const { partnerId, organizationId } = employee
      const organization = JSON.stringify([partnerId, organizationId])
      const bound = organizations.get(organization) ?? account.organizationId ?? ''
      if (bound !== (account.organizationId ?? '')) return 'other-organization'
      organizations.set(organization, bound)
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
