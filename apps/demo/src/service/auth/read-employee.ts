import type { Database } from '../database/tables.ts'
import type { Auth } from './create-auth.ts'
import type { Employee } from './employee.ts'
import { isFramed } from './framed-request.ts'

/** Who is signed in. */
export interface EmployeeSession {
  readonly employee: Employee | undefined
  /** Cookies that the log-in library wants renewed. */
  readonly cookies: readonly string[]
}

/** Finds out who is signed in: in a frame by the frame's session, else by that of the browser's windows. */
export async function readEmployee(
  auth: Auth,
  database: Database,
  headers: Headers,
): Promise<EmployeeSession> {
  const asked = { headers, returnHeaders: true } as const
  const { response, headers: answer } = await (isFramed(headers)
    ? auth.framed.api.getSession(asked)
    : auth.api.getSession(asked))
  const cookies = answer?.getSetCookie() ?? []
  if (!response) return { employee: undefined, cookies }
  const { user } = response
  const organization = await database
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', user.organizationId)
    .executeTakeFirstOrThrow()
  return {
    employee: {
      accountId: user.id,
      name: user.name,
      email: user.email,
      organizationId: user.organizationId,
      organizationName: organization.name,
    },
    cookies,
  }
}
