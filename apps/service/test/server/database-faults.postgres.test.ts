import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askPostgres, databasesIn } from '@service-link/test-kit/postgres'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { postgresDialect } from '../../src/server/database/postgres.ts'
import { keepLog } from '../support/log.ts'
import { expectOutage, expectRecovery } from '../support/outage.ts'
import { startService } from '../support/service.ts'

const publicUrl = 'http://service.example'

/** A service on a database of its own, as a user without the server's rights. */
async function start() {
  await using resources = new AsyncDisposableStack()
  const { folder: server = '', template } = inject('postgres') ?? {}
  const databases = databasesIn(server)
  const name = await databases.create(template)
  resources.defer(() => databases.drop(name))
  const asOwner = (statement: string) => askPostgres(databases.urlOf(name), statement)
  await asOwner(`create role ${name} login in role pg_read_all_data, pg_write_all_data`)
  await asOwner(`grant usage, create on schema public to ${name}`)
  const folder = resources.use(await mkdtempDisposable(join(tmpdir(), 'service-link-faults-')))
  const { logger, lines } = keepLog()
  const databaseUrl = databases.urlOf(name).replace('service@', `${name}@`)
  const running = resources.use(
    await startService({ dataFolder: folder.path, databaseUrl, publicUrl, logger }),
  )
  const owned = resources.move()
  return {
    asked: { publicUrl, address: `http://127.0.0.1:${running.service.port}` },
    lines,
    /** Changes the database or its user, for connections that begin now: all of them. */
    async change(...statements: readonly string[]) {
      for (const statement of statements) await asOwner(statement.replaceAll('$name', name))
      await asOwner(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${name}'`)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test.each([
  [
    'that takes no writes, such as a standby',
    'alter role $name set default_transaction_read_only = on',
    'alter role $name reset default_transaction_read_only',
    '25006',
  ],
  [
    'that has too many connections',
    'alter role $name connection limit 0',
    'alter role $name connection limit 10',
    '53300',
  ],
  ['that lets nobody in', 'alter role $name nologin', 'alter role $name login', '28000'],
])('a database %s: 503, the cause in the log, and by itself 200 again', async (_, begin, end, code) => {
  await using service = await start()
  await service.change(begin)
  await expectOutage(service.asked)
  expect(service.lines.join('')).toContain(`"reason":"${code} `)
  await service.change(end)
  await expectRecovery(service.asked)
})

test('a process that stalls while connecting is answered if the address allows the time', async () => {
  const databases = databasesIn(inject('postgres')?.folder ?? '')
  const name = await databases.create()
  await using resources = new AsyncDisposableStack()
  resources.defer(() => databases.drop(name))
  const url = new URL(databases.urlOf(name))
  url.searchParams.set('connect_timeout', '60')
  const { database } = resources.use(await openDatabase(postgresDialect(url.href)))
  // More than the existing connections.
  const asked = Promise.all(
    Array.from({ length: 5 }, () => database.selectFrom('persons').selectAll().execute()),
  )
  await new Promise(resolve => setImmediate(resolve))
  const until = performance.now() + 2500
  while (performance.now() < until);
  expect(await asked).toEqual([[], [], [], [], []])
})
