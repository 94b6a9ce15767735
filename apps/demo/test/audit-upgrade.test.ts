import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { migrations } from '../src/service/database/migrations.ts'
import { openDatabase } from '../src/service/database/open-database.ts'
import { postgresDialect } from '../src/service/database/postgres/postgres-dialect.ts'
import { sqliteDialect } from '../src/service/database/sqlite/sqlite-dialect.ts'
import type { Tables } from '../src/service/database/tables.ts'
import { makeStorage } from './_service.ts'

/** The last step before entries were told apart by their employee. */
const before = '013-expiry-indexes'

const entry = {
  at: '2026-11-20T08:00:00.000Z',
  request_id: 'r1',
  event: 'post',
  outcome: 'signed-in',
  partner_id: 'p',
  organization_id: 'o',
  account_id: 'a',
  employee_digest: null,
}

test('the audit log that there is stays as it is, with its numbers, and goes on after them', async () => {
  await using resources = new AsyncDisposableStack()
  const { databaseUrl, dataFolder } = await makeStorage(resources, { isEmpty: true })
  const openDialect = () =>
    databaseUrl === undefined ? sqliteDialect(dataFolder) : postgresDialect(databaseUrl)
  const rows = [entry, { ...entry, request_id: 'r2', account_id: null, employee_digest: 'digest' }]
  {
    const dialect = openDialect()
    await using database = new Kysely<Tables>({ dialect: dialect.kysely })
    const provider = { getMigrations: async () => migrations(dialect) }
    const { error } = await new Migrator({ db: database, provider }).migrateTo(before)
    expect(error).toBeUndefined()
    for (const row of rows) await database.insertInto('audit_entries').values(row).execute()
  }
  const { database } = resources.use(await openDatabase(openDialect()))
  const read = () => database.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  expect(await read()).toEqual(rows.map((row, index) => ({ ...row, id: index + 1 })))
  const added = { ...entry, employee_digest: 'digest' }
  await database.insertInto('audit_entries').values(added).execute()
  expect((await read()).slice(rows.length)).toEqual([{ ...added, id: 3 }])
})
