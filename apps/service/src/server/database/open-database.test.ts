import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from './failures.ts'
import { openDatabase } from './open-database.ts'
import { postgresDialect } from './postgres.ts'
import { sqliteDialect } from './sqlite.ts'

test('a server that cannot be reached is given up after the time; nothing of its address is in the error', async () => {
  // Port 1 of this machine: nobody listens there, and nobody may.
  const dialect = postgresDialect('postgres://do-not-print:do-not-print@127.0.0.1:1/do-not-print')
  const error: unknown = await openDatabase(dialect, { maxWaitMs: 300 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseUnavailableError)
  expect(`${error} ${JSON.stringify(error)}`).not.toContain('do-not-print')
})

test.each([
  [
    'of a newer version',
    sql`insert into kysely_migration (name, timestamp) values ('999-newer', '2030-01-01')`,
  ],
  ['with the tables of an earlier version', sql`update kysely_migration set name = '001-initial'`],
])('a database %s is not touched, and the error says so', async (_name, change) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-version-'))
  {
    await using open = await openDatabase(sqliteDialect(folder.path))
    await change.execute(open.database)
  }
  const again = openDatabase(sqliteDialect(folder.path))
  await expect(again).rejects.toMatchObject({ code: 'ERR_DATABASE_VERSION' })
})

test.skipIf(process.platform === 'win32')(
  'the files are this user’s alone, also in a folder that others may enter',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-modes-'))
    chmodSync(folder.path, 0o755)
    await using _open = await openDatabase(sqliteDialect(folder.path))
    const files = readdirSync(folder.path)
    expect(files).toContain('service.sqlite-wal')
    for (const file of files)
      expect([file, statSync(join(folder.path, file)).mode & 0o077]).toEqual([file, 0])
  },
)

test('a first start that is killed after any of its statements is done at the next one', {
  timeout: 120_000,
}, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-first-'))
  await using copies = await mkdtempDisposable(join(tmpdir(), 'service-link-moments-'))
  const { moments, keep } = keepMoments(folder.path, copies.path)
  {
    await using _first = await openDatabase(sqliteDialect(folder.path), { onStatement: keep })
  }
  expect(moments.length).toBeGreaterThan(1)
  for (const moment of moments) {
    await using opened = await openDatabase(sqliteDialect(moment))
    expect(await opened.database.selectFrom('audit_entries').selectAll().execute()).toEqual([])
  }
})

/** Keeps the files that a process leaves if it is killed at this moment, unless they are those of the moment before. */
function keepMoments(folder: string, into: string) {
  // Without the shared memory, which a process makes anew.
  const filesIn = () =>
    readdirSync(folder)
      .filter(name => !name.endsWith('-shm'))
      .sort()
  const moments: string[] = []
  let last: Buffer | undefined
  return {
    moments,
    keep() {
      const present = Buffer.concat(filesIn().map(name => readFileSync(join(folder, name))))
      if (last?.equals(present)) return
      last = present
      const moment = join(into, String(moments.length))
      mkdirSync(moment)
      for (const name of filesIn()) copyFileSync(join(folder, name), join(moment, name))
      moments.push(moment)
    },
  }
}
