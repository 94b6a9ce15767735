/** Who is signed in, and for which organization. */
export interface Employee {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly organizationId: number
  readonly organizationName: string
}
