/** Who is signed in, and for which organization. */
export interface Employee {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly organizationId: number
  readonly organizationName: string
  /** The link that made the session; missing: a log-in with a password did. */
  readonly linkId?: string
}

/** Variables of a request. */
export interface AppEnv {
  Variables: { employee: Employee }
}
