import { Hono } from 'hono'
import type { Database } from '../database/tables.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Auth } from './create-auth.ts'
import type { DemoAccount } from './demo-accounts.ts'
import { readEmployee } from './read-employee.ts'

/** `GET /session`: who is signed in; never a failure. `GET /sign-in-hint`: accounts to show on the log-in page. */
export function sessionRoutes(auth: Auth, database: Database, hint: readonly DemoAccount[]) {
  return new Hono<AppEnv>()
    .get('/session', async c => {
      const { employee, cookies } = await readEmployee(auth, database, c.req.raw.headers)
      for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
      return c.json({ employee: employee ?? null })
    })
    .get('/sign-in-hint', c =>
      c.json({ accounts: hint.map(({ email, password, name }) => ({ email, password, name })) }),
    )
}
