import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { postgresDialect } from '../../src/server/database/postgres.ts'
import { databasesIn } from '../support/postgres.ts'
import type {} from '../support/postgres-setup.ts'

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
