import type { EmployeeKey } from './delivery.ts'

/** An account of the service. */
export interface Account {
  readonly id: string
  /** What people read, such as a name or an e-mail address. */
  readonly displayName: string
}

/** Which account an employee of a partner's organization uses. */
export interface AccountLinks {
  /** Finds the account, or `undefined` for an employee who has not logged in yet (specification 5.1). */
  find(employee: EmployeeKey): Promise<Account | undefined>
  /**
   * Links the employee to an account, unless it is linked already. An account may have any number of employees.
   *
   * @returns the account that the employee is linked to afterwards; `undefined` when there is no account of that id
   */
  link(employee: EmployeeKey, accountId: string): Promise<Account | undefined>
}
