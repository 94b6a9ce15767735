import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from './database-failures.ts'
import { openDatabase } from './open-database.ts'
import { postgresDialect } from './postgres/postgres-dialect.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'

test('a server that cannot be reached is given up after the time; nothing of its address is in the error', async () => {
  // Port 1 of this machine: nobody listens there, and nobody may.
  const dialect = postgresDialect('postgres://do-not-print:do-not-print@127.0.0.1:1/do-not-print')
  const error: unknown = await openDatabase(dialect, { maxWaitMs: 300 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseUnavailableError)
  expect(`${error} ${JSON.stringify(error)}`).not.toContain('do-not-print')
})

test('a database of a newer version is not touched, and the error says so', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-version-'))
  {
    await using open = await openDatabase(sqliteDialect(folder.path))
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-a-newer-version', '2030-01-01T00:00:00.000Z')`.execute(
      open.database,
    )
  }
  const again = openDatabase(sqliteDialect(folder.path))
  await expect(again).rejects.toMatchObject({ code: 'ERR_DATABASE_VERSION' })
})
