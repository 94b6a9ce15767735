import { createMiddleware } from 'hono/factory'
import type { Database } from '../database/tables.ts'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Auth } from './create-auth.ts'

/** Who is signed in, and for which organization. */
export interface Employee {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly organizationId: number
  readonly organizationName: string
}

/** Header by which a page says for which account it was drawn. */
export const expectedAccountHeader = 'x-expected-account'

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

/**
 * Lets only signed-in employees through, and only for the account that the page was drawn for: where another employee
 * signed in in the same browser meanwhile, a page of the former one must not read or write as the new one.
 */
export function requireEmployee(auth: Auth, database: Database) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { employee, cookies } = await readEmployee(auth, database, c.req.raw.headers)
    if (!employee) throw new ApiError('ERR_NOT_SIGNED_IN', 'Nobody is signed in. Sign in and try again.')
    const expected = c.req.header(expectedAccountHeader)
    if (expected !== undefined && expected !== employee.accountId)
      throw new ApiError(
        'ERR_OTHER_ACCOUNT',
        'Somebody else has signed in in this browser. Load the page again.',
      )
    c.set('employee', employee)
    await next()
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
  })
}
