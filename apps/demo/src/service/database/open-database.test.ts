import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from './database-failures.ts'
import { openDatabase } from './open-database.ts'
import { postgresDialect } from './postgres/postgres-dialect.ts'

test('a server that cannot be reached is given up after the time; nothing of its address is in the error', async () => {
  // Port 1 of this machine: nobody listens there, and nobody may.
  const dialect = postgresDialect('postgres://do-not-print:do-not-print@127.0.0.1:1/do-not-print')
  const error: unknown = await openDatabase(dialect, { maxWaitMs: 300 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseUnavailableError)
  expect(`${error} ${JSON.stringify(error)}`).not.toContain('do-not-print')
})
