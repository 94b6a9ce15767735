import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, readBoot, sign, visit } from '../support/post.ts'
import { askPostgres, patientUrl } from '../support/postgres.ts'
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts'
import {
  type ApiClient,
  logInAs,
  makeStorage,
  type RunningService,
  startService,
} from '../support/service.ts'

let resources: AsyncDisposableStack
let proxy: PostgresProxy
let running: RunningService
let ingrid: ApiClient
let directUrl: string

beforeEach(async () => {
  resources = new AsyncDisposableStack()
  const { databaseUrl = '', dataFolder } = await makeStorage(resources)
  directUrl = databaseUrl
  const name = new URL(databaseUrl).pathname.slice(1)
  proxy = resources.use(await startPostgresProxy(inject('postgres')?.folder ?? ''))
  running = resources.use(await startService({ dataFolder, databaseUrl: patientUrl(proxy.urlOf(name)) }))
  ingrid = await logInAs(running.service, accounts.ingrid)
})
afterEach(() => resources.disposeAsync())

async function count(table: string, where = 'true'): Promise<number> {
  const [row] = await askPostgres(directUrl, `select count(*)::int as count from ${table} where ${where}`)
  return Number(row?.count)
}

function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
}

test('a post with an unconfirmed commit is answered as taken and took effect once', async () => {
  await confirmLink(ingrid, running)
  const token = await sign(running, { ...visit, contact: { id: 'doubt', firstname: 'A', lastname: 'B' } })
  const [audited, sessions] = [await count('audit_entries'), await count('auth_sessions')]
  proxy.loseNextCommit()
  const answer = await post(running, token)
  expect([answer.status, (await readBoot(answer)).kind, proxy.lost]).toEqual([200, 'signed-in', 1])
  expect(await count('persons', "custom_id = 'doubt'")).toBe(1)
  expect(await count('audit_entries')).toBe(audited + 1)
  // One session, and the browser has it.
  expect(await count('auth_sessions')).toBe(sessions + 1)
  const session = await fetch(`${running.service.url}/api/session`, { headers: { cookie: cookieOf(answer) } })
  expect(await session.json()).toMatchObject({ employee: { name: 'Ingrid Solberg' } })
  // Its token is still used up.
  expect((await post(running, token, 'application/problem+json')).status).toBe(401)
})

test('a first visit with an unconfirmed commit waits once and can be completed', async () => {
  proxy.loseNextCommit()
  const { handle } = await readBoot(await post(running, await sign(running)))
  expect([proxy.lost, await count('held_deliveries')]).toEqual([1, 1])
  expect((await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })).status).toBe(200)
})

test('a person from the API is made once', async () => {
  proxy.loseNextCommit()
  const { status } = await ingrid.ask('POST', '/api/persons/select', {
    customId: 'doubt',
    firstname: 'A',
    lastname: 'B',
  })
  expect([status, proxy.lost, await count('persons', "custom_id = 'doubt'")]).toEqual([200, 1, 1])
})

test('a workout with an unconfirmed commit is given once', async () => {
  const { body } = await ingrid.ask('POST', '/api/persons/select', {
    customId: 'x',
    firstname: 'A',
    lastname: 'B',
  })
  const personId = Reflect.get(body.person ?? {}, 'userId')
  proxy.loseNextCommit()
  const given = await ingrid.ask('POST', '/api/workouts/1/give', { personId, key: crypto.randomUUID() })
  expect(given.status).toBe(201)
  expect([proxy.lost, await count('workouts', `person_id = ${personId}`)]).toEqual([1, 1])
})

test('a connection that ends during a post is replaced, and leaves nothing', async () => {
  await confirmLink(ingrid, running)
  const token = await sign(running, { ...visit, contact: { id: 'cut', firstname: 'A', lastname: 'B' } })
  const blocker = new pg.Client({ connectionString: directUrl })
  await blocker.connect()
  try {
    await blocker.query('begin; lock table persons in exclusive mode')
    const answered = post(running, token)
    await blocker.query(`select pg_terminate_backend(${await findWaiting()})`)
    await blocker.query('rollback')
    expect((await readBoot(await answered)).kind).toBe('signed-in')
  } finally {
    await blocker.end()
  }
  expect(await count('persons', "custom_id = 'cut'")).toBe(1)
})

/** Waits until a connection of the service waits for a lock, and returns its number. */
async function findWaiting(): Promise<number> {
  for (;;) {
    const [row] = await askPostgres(
      directUrl,
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = 'service' and wait_event_type = 'Lock'`,
    )
    if (row) return Number(row.pid)
    await delay(10)
  }
}
