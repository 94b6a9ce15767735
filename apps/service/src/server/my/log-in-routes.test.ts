import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from '../database/failures.ts'
import type { Tables } from '../database/tables.ts'
import { createLogger } from '../http/logger.ts'
import { createConsumerAuth } from './consumer-auth.ts'
import { logInRoutes } from './log-in-routes.ts'

/** A database that nobody can connect to. */
function lostDatabase(): Kysely<Tables> {
  const nothing = async () => undefined
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: database => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: () => Promise.reject(new DatabaseUnavailableError()),
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
    },
  })
}

test.each(['/log-in', '/callback?code=x&state=y'])(
  'while the database is lost, %s is a page that says so and when to try again',
  async path => {
    const database = lostDatabase()
    const publicUrl = 'http://localhost:4280'
    const secret = 'a-secret-of-thirty-two-characters!'
    const auth = createConsumerAuth({ database, dialectName: 'sqlite', publicUrl, secret, sessionMs: 1 })
    const logger = createLogger('silent')
    const problemPage = async (code: string) => `<main data-code="${code}">`
    const app = logInRoutes({ publicUrl, secret, database, auth, issuer: undefined, logger, problemPage })
    const answer = await app.request(path)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toContain('data-code="ERR_UNAVAILABLE"')
  },
)
