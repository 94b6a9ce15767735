import type { PayloadClaims } from '@service-link/protocol-core'
import { askPostgres } from '@service-link/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from '../../src/server/demo-data.ts'
import { createPartnerKey, type PartnerKey } from '../../src/testing/partner-key.ts'
import { ApiClient } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { keepLog } from '../support/log.ts'
import { confirmLink, post as postTo, sign as signAt, visit } from '../support/post.ts'
import { makeStorage, type RunningService, startService } from '../support/service.ts'

const publicUrl = 'http://service.example'

/** Password of the database's user, which needs none. */
const password = 'do-not-print'

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())

const { logger, lines } = keepLog()
let databaseUrl: string
let processes: readonly [RunningService, RunningService]
let key: PartnerKey
let ingrid: ApiClient

// They share nothing but database and folder. Both start concurrently on an empty database.
beforeAll(async () => {
  const { dataFolder, databaseUrl: url = '' } = await makeStorage(resources, { isEmpty: true })
  databaseUrl = url.replace('service@', `service:${password}@`)
  key = await createPartnerKey()
  const partners = [key.registration]
  const start = async () =>
    resources.use(await startService({ dataFolder, databaseUrl, publicUrl, partners, demoAccounts, logger }))
  processes = await Promise.all([start(), start()])
  ingrid = new ApiClient({ url: publicUrl }, addressOf(0))
  expect(await ingrid.logIn(accounts.ingrid)).toBe(200)
})

/** The process of the next turn. */
const addressOf = (index: number) => `http://127.0.0.1:${processes[index % 2 === 0 ? 0 : 1].service.port}`

const sign = (payload: PayloadClaims) => signAt({ service: { url: publicUrl }, key }, payload)

const post = (index: number, token: string) =>
  postTo({ service: { url: addressOf(index) } }, token, 'application/problem+json')

/** Makes this many concurrent calls, in turns at the two processes. */
const atOnce = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

async function count(table: string, where = 'true'): Promise<number> {
  const [row] = await askPostgres(databaseUrl, `select count(*)::int as count from ${table} where ${where}`)
  return Number(row?.count)
}

function countBy(values: readonly unknown[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  return Object.fromEntries(counts)
}

describe('two processes on one database', () => {
  test('that start concurrently fill it once', async () => {
    expect(await count('exercises')).toBe(await count('(select distinct name from exercises) as names'))
    expect(await count('text_search')).toBe((await count('exercises')) + (await count('workouts')))
    expect([await count('organizations'), await count('auth_users'), await count('auth_accounts')]).toEqual([
      1, 2, 2,
    ])
  })

  test('[5.1-signed] of a hundred concurrent posts of one token exactly one succeeds', async () => {
    const token = await sign(visit)
    const answers = await atOnce(100, index => post(index, token))
    expect(countBy(answers.map(answer => answer.status))).toEqual({ 200: 1, 401: 99 })
    const codes = await Promise.all(
      answers.filter(answer => answer.status === 401).map(answer => answer.json()),
    )
    expect(new Set(codes.map(problem => problem.code))).toEqual(new Set(['ERR_PAYLOAD_REPLAYED']))
  })

  test('a hundred concurrent posts for one new person make one person', async () => {
    const linked = await confirmLink(ingrid, { service: { url: publicUrl }, key }, visit, addressOf(0))
    expect(linked.status).toBe(200)
    const contact = { id: 'rush', ssn: '12857948368', firstname: 'One', lastname: 'Person' }
    const tokens = await atOnce(100, () => sign({ ...visit, contact }))
    const answers = await atOnce(100, index => post(index, tokens[index] ?? ''))
    expect(countBy(answers.map(answer => answer.status))).toEqual({ 200: 100 })
    expect(await count('persons', "custom_id = 'rush'")).toBe(1)
  })

  test('all concurrent data for one person are kept', async () => {
    const person = { customId: 'filled', firstname: 'A', lastname: 'B' }
    await ingrid.ask('POST', '/api/persons/select', person)
    const statuses = await atOnce(20, async index => {
      const profileData = [{ key: 'weight', value: index }]
      const field = index === 7 ? { email: 'filled@example.com' } : {}
      return (
        await ingrid
          .at(addressOf(index))
          .ask('POST', '/api/persons/select', { ...person, ...field, profileData })
      ).status
    })
    expect(countBy(statuses)).toEqual({ 200: 20 })
    const [row] = await askPostgres(
      databaseUrl,
      "select email, profile_data from persons where custom_id = 'filled'",
    )
    expect(row?.email).toBe('filled@example.com')
    const values: readonly { value: number }[] = JSON.parse(String(row?.profile_data))
    expect(values.map(({ value }) => value).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, value) => value),
    )
  })

  test('never print the password of the database', () => {
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain(password)
  })
})
