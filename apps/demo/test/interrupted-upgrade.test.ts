import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { migrations } from '../src/service/database/migrations.ts'
import { openDatabase } from '../src/service/database/open-database.ts'
import { sqliteDialect } from '../src/service/database/sqlite/sqlite-dialect.ts'
import type { Tables } from '../src/service/database/tables.ts'

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

const former = [
  { former: 'an empty database', step: undefined, rows: [] },
  {
    former: 'the first version with an audit log',
    step: '009-operations',
    rows: [entry, { ...entry, request_id: 'r2' }],
  },
]

/** The database's files, without the shared memory that a process makes anew. */
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter(name => !name.endsWith('-shm'))
    .sort()

/** Keeps what a process that is killed at this moment would leave; not again what the moment before left as well. */
function keepMoments(folder: string, into: string) {
  const moments: string[] = []
  let last: Buffer | undefined
  return {
    moments,
    keep() {
      const present = Buffer.concat(filesIn(folder).map(name => readFileSync(join(folder, name))))
      if (last?.equals(present)) return
      last = present
      const moment = join(into, String(moments.length))
      mkdirSync(moment)
      for (const name of filesIn(folder)) copyFileSync(join(folder, name), join(moment, name))
      moments.push(moment)
    },
  }
}

test.each(former)(
  'an upgrade of $former that is killed after any of its statements is done at the next start, and no entry of the audit log is lost',
  { timeout: 120_000 },
  async ({ step, rows }) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-upgrade-'))
    await using copies = await mkdtempDisposable(join(tmpdir(), 'service-link-moments-'))
    if (step !== undefined) {
      const dialect = sqliteDialect(folder.path)
      await using database = new Kysely<Tables>({ dialect: dialect.kysely })
      const provider = { getMigrations: async () => migrations(dialect) }
      const { error } = await new Migrator({ db: database, provider }).migrateTo(step)
      expect(error).toBeUndefined()
      for (const row of rows) await database.insertInto('audit_entries').values(row).execute()
    }
    const { moments, keep } = keepMoments(folder.path, copies.path)
    {
      await using _upgraded = await openDatabase(sqliteDialect(folder.path), { onStatement: keep })
    }
    expect(moments.length).toBeGreaterThan(1)
    const left: unknown[] = []
    for (const moment of moments) {
      try {
        await using opened = await openDatabase(sqliteDialect(moment))
        left.push(await opened.database.selectFrom('audit_entries').selectAll().orderBy('id').execute())
      } catch (error) {
        left.push(String(error))
      }
    }
    const expected = rows.map((row, index) => ({ ...row, id: index + 1 }))
    expect(left).toEqual(moments.map(() => expected))
  },
)
