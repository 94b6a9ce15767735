/** The employee who logs in to the service during the check. */
export interface Employee {
  readonly email: string
  readonly password: string
}
