import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, readBoot, sign, visit } from '../support/post.ts'
import { query, type RunningService, startService } from '../support/service.ts'

let running: RunningService
let ingrid: ApiClient

beforeEach(async () => {
  running = await startService()
  ingrid = await logInAs(running.service, accounts.ingrid)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await running[Symbol.asyncDispose]()
})

/** The next commit takes effect, but its connection ends before the service hears of it. Returns how many were lost. */
function loseNextCommit() {
  const { query } = pg.Client.prototype
  let lost = 0
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const result: unknown = await Reflect.apply(query, this, args)
    if (args[0] !== 'commit' || lost > 0) return result
    lost++
    throw new Error('Connection terminated unexpectedly')
  })
  return () => lost
}

async function count(table: string, where = 'true'): Promise<number> {
  const [row] = await query(running, `select count(*)::int as count from ${table} where ${where}`)
  return Number(row?.count)
}

const person = { customId: 'doubt', firstname: 'A', lastname: 'B' }

test('a post with an unconfirmed commit is answered as taken and took effect once', async () => {
  await confirmLink(ingrid, running)
  const token = await sign(running, { ...visit, contact: { id: 'doubt', firstname: 'A', lastname: 'B' } })
  const [audited, sessions] = [await count('audit_entries'), await count('auth_sessions')]
  const lost = loseNextCommit()
  const answer = await post(running, token)
  ingrid.keep(answer)
  expect([answer.status, (await readBoot(answer)).kind, lost()]).toEqual([200, 'signed-in', 1])
  expect(await count('persons', "custom_id = 'doubt'")).toBe(1)
  expect(await count('audit_entries')).toBe(audited + 1)
  // One session, and the browser has it.
  expect(await count('auth_sessions')).toBe(sessions + 1)
  expect((await ingrid.ask('GET', '/api/session')).body).toMatchObject({
    employee: { linkId: expect.any(String) },
  })
  // Its token is still used up.
  expect((await post(running, token, 'application/problem+json')).status).toBe(401)
})

test('a first visit with an unconfirmed commit waits once and can be completed', async () => {
  const lost = loseNextCommit()
  const { handle } = await readBoot(await post(running, await sign(running)))
  expect([lost(), await count('held_deliveries')]).toEqual([1, 1])
  expect((await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })).status).toBe(200)
})

test('a person from the API is made once, and its workout is given once', async () => {
  let lost = loseNextCommit()
  const { status, body } = await ingrid.ask('POST', '/api/persons/select', person)
  expect([status, lost(), await count('persons', "custom_id = 'doubt'")]).toEqual([200, 1, 1])
  const personId = Reflect.get(body.person ?? {}, 'userId')
  vi.restoreAllMocks()
  lost = loseNextCommit()
  const given = await ingrid.ask('POST', '/api/workouts/1/give', { personId, key: crypto.randomUUID() })
  expect([given.status, lost(), await count('workouts', `person_id = ${personId}`)]).toEqual([201, 1, 1])
})

test('a connection that ends during a post is replaced, and leaves nothing', async () => {
  await confirmLink(ingrid, running)
  const token = await sign(running, { ...visit, contact: { id: 'cut', firstname: 'A', lastname: 'B' } })
  const blocker = new pg.Client({ connectionString: running.storage.databaseUrl })
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
    const [row] = await query(
      running,
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = 'service' and wait_event_type = 'Lock'`,
    )
    if (row) return Number(row.pid)
    await delay(10)
  }
}
