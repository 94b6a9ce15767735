import type { Database } from '../database/tables.ts'
import type { Auth } from './create-auth.ts'
import type { Employee } from './employee.ts'

/**
 * Finds out who is signed in.
 *
 * @returns the employee, and cookies that the log-in library wants renewed
 */
export async function readEmployee(
  auth: Auth,
  database: Database,
  headers: Headers,
): Promise<{ readonly employee: Employee | undefined; readonly cookies: readonly string[] }> {
  const { response, headers: answer } = await auth.api.getSession({ headers, returnHeaders: true })
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
