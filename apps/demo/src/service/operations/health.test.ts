import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { createReadinessCheck, healthRoutes } from './health.ts'

/** A database whose every question is answered by `answer`. */
function databaseWith(answer: () => Promise<{ rows: never[] }>) {
  const driver = new (class extends DummyDriver {
    override async acquireConnection() {
      return { executeQuery: answer, streamQuery: () => Promise.reject(new TypeError('not asked')) as never }
    }
  })()
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: db => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

const answers = async () => ({ rows: [] })

test('a service that can take requests says so', async () => {
  const app = healthRoutes(createReadinessCheck(databaseWith(answers)))
  const ready = await app.request('/ready')
  expect(ready.status).toBe(200)
  expect(ready.headers.get('cache-control')).toBe('no-store')
  expect(await ready.json()).toEqual({ status: 'ok', parts: { process: 'ok', database: 'ok' } })
  expect((await app.request('/live')).status).toBe(200)
})

test('while it ends it says that it takes none, and lives', async () => {
  const readiness = createReadinessCheck(databaseWith(answers))
  const app = healthRoutes(readiness)
  readiness.stop()
  const ready = await app.request('/ready')
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await ready.json()).toEqual({ status: 'failing', parts: { process: 'failing', database: 'ok' } })
  expect((await app.request('/live')).status).toBe(200)
})

test('a database that fails makes it not ready, without a word about the failure', async () => {
  const fails = () => Promise.reject(new Error('password authentication failed for user "secret"'))
  const app = healthRoutes(createReadinessCheck(databaseWith(fails)))
  const ready = await app.request('/ready')
  expect(ready.status).toBe(503)
  expect(await ready.json()).toEqual({ status: 'failing', parts: { process: 'ok', database: 'failing' } })
})

test('a database that hangs makes it not ready, and is asked once however many ask', async () => {
  const { promise, resolve } = Promise.withResolvers<{ rows: never[] }>()
  let asked = 0
  const readiness = createReadinessCheck(
    databaseWith(() => {
      asked++
      return promise
    }),
    1,
  )
  const app = healthRoutes(readiness)
  const statuses = [(await app.request('/ready')).status]
  for (const { status } of await Promise.all([app.request('/ready'), app.request('/ready')]))
    statuses.push(status)
  expect({ statuses, asked }).toEqual({ statuses: [503, 503, 503], asked: 1 })
  expect((await app.request('/live')).status).toBe(200)
  resolve({ rows: [] })
})
