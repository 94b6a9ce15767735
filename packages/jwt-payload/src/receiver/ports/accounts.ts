import type { EmployeeKey } from './delivery.ts'

/** An account of the service. */
export interface Account {
  readonly id: string
  /** What people read, such as a name or an e-mail address. */
  readonly displayName: string
  /** The service's own organization of the account. Stores in memory keep contacts and links of two organizations apart by it. */
  readonly organizationId?: string
}

/** An employee's link to an account, as the account's owner is shown it. */
export interface AccountLink {
  /** `employeeDigestOf` the employee. */
  readonly linkId: string
  readonly partnerId: string
  /** As the partner writes it. */
  readonly organizationId: string
  readonly linkedAt: Date
}

/** A link that was ended. */
export interface EndedLink extends AccountLink {
  readonly employee: EmployeeKey
}

/** Which account an employee of a partner's organization uses. */
export interface AccountLinks {
  /** Finds the account, or `undefined` for an employee who has not logged in yet (specification 5.1). */
  find(employee: EmployeeKey): Promise<Account | undefined>
  /**
   * Links the employee to an account, unless it is linked already. An account may have any number of employees. The first
   * link of a partner's organization binds it to the account's organization in the service, also once that link has ended.
   *
   * @returns the account that the employee is linked to afterwards; `undefined` when there is no account of that id;
   * `other-organization`: nothing was linked, because the partner's organization is bound to another one than the account's
   */
  link(employee: EmployeeKey, accountId: string): Promise<Account | 'other-organization' | undefined>
  /** The links of an account, the oldest first. */
  list(accountId: string): Promise<readonly AccountLink[]>
  /**
   * Ends a link: the employee's next visit asks for a log-in again.
   *
   * @returns the link as it was; `undefined` when that account has no such link
   */
  unlink(linkId: string, accountId: string): Promise<EndedLink | undefined>
}
