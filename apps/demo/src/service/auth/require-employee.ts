import { createMiddleware } from 'hono/factory'
import type { Database } from '../database/tables.ts'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Auth } from './create-auth.ts'
import { readEmployee } from './read-employee.ts'

/** Header by which a page says for which account it was drawn. */
export const expectedAccountHeader = 'x-expected-account'

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
