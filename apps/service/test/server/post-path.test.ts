import { signPayload } from '@service-link/jwt-payload'
import type { PayloadClaims } from '@service-link/protocol-core'
import { createPartnerDirectory, type Receiver } from '@service-link/receiver'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPages, webApp } from '../../src/build/build-pages.ts'
import { type Auth, createAuth } from '../../src/server/auth/create-auth.ts'
import { readEmployee } from '../../src/server/auth/employee.ts'
import { dialectOf } from '../../src/server/create-service.ts'
import { type OpenDatabase, openDatabase } from '../../src/server/database/open-database.ts'
import { seedAccounts } from '../../src/server/demo-data.ts'
import { maxCounted } from '../../src/server/http/api.ts'
import { createLogger } from '../../src/server/http/logger.ts'
import { knownVisits } from '../../src/server/partner-link/known-visits.ts'
import { createPartnerLink } from '../../src/server/partner-link/partner-link.ts'
import { databaseAuditLog } from '../../src/server/partner-link/receiver-stores.ts'
import { derivedColumnsOf } from '../../src/server/persons/person-row.ts'
import { countPersons, listPersons } from '../../src/server/persons/persons.ts'
import { listWorkoutsOf } from '../../src/server/workouts/workout-store.ts'
import { createPartnerKey, type PartnerKey } from '../../src/testing/partner-key.ts'
import { testAccounts } from '../support/accounts.ts'
import { readBoot, visit } from '../support/post.ts'
import { makeStorage } from '../support/service.ts'
import { explainOnPostgres, explainOnSqlite, StatementList } from '../support/statements.ts'

/** Persons of one organization: enough for the planner and to distinguish a scan from a search. */
const personCount = 50_000

/** Most statements of a visit that the stores take. */
const mostStatements = 18

/** Rows that a statement may look at: those that a list counts. */
const mostRows = maxCounted + 1

const publicUrl = 'http://service.example'

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())

const statements = new StatementList()
let open: OpenDatabase
let receiver: Receiver
let auth: Auth
let key: PartnerKey

beforeAll(async () => {
  const { databaseUrl, dataFolder } = await makeStorage(resources, { isEmpty: true })
  const dialect = dialectOf(databaseUrl, dataFolder)
  open = resources.use(await openDatabase(dialect, { onStatement: statements.keep }))
  const { database, dialectName } = open
  key = await createPartnerKey()
  const partners = await createPartnerDirectory([key.registration])
  auth = createAuth({
    database,
    dialectName,
    publicUrl,
    secret: 'the key of the cookies of a test',
    sessionMs: 12 * 60 * 60 * 1000,
    partners,
  })
  await seedAccounts(auth, open, testAccounts)
  await fill()
  const webAppFolder = await buildPages(webApp)
  const logger = createLogger('silent')
  const audit = databaseAuditLog(database)
  receiver = createPartnerLink({
    publicUrl,
    partners,
    auth,
    open,
    webAppFolder,
    logger,
    audit,
    metrics: undefined,
  })
})

/** Writes persons with common name beginnings by the hundred, and used tokens, sessions and waiting visits. */
async function fill(): Promise<void> {
  const now = new Date().toISOString()
  const { id: organization_id } = await open.database
    .selectFrom('organizations')
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  for (let from = 0; from < personCount; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, offset) => {
      const index = from + offset
      const columns = {
        organization_id,
        custom_id: `c-${index}`,
        ssn: String(10_000_000_000 + index),
        firstname: `first${index % 97}`,
        lastname: `last${index}`,
      }
      return { ...columns, ...derivedColumnsOf(columns), created_at: now, updated_at: now }
    })
    await open.database.transaction().execute(async transaction => {
      // SQLite takes at most 32,766 parameters in a statement.
      for (let row = 0; row < rows.length; row += 500)
        await transaction
          .insertInto('persons')
          .values(rows.slice(row, row + 500))
          .execute()
      const waiting = rows.map(({ custom_id }) => ({
        expires_at: Date.now() + 60_000,
        id: `other-${custom_id}`,
      }))
      await transaction
        .insertInto('used_tokens')
        .values(waiting.map(({ id, expires_at }) => ({ token_key: id, expires_at, request_id: '' })))
        .execute()
    })
  }
  await sql`analyze`.execute(open.database)
}

const post = async (payload: PayloadClaims, accept = 'text/html') => {
  const token = await signPayload(payload, key.signing, {
    audience: `${publicUrl}/partner/payload`,
    issuer: key.issuer,
  })
  return receiver.receive(
    new Request(`${publicUrl}/partner/payload`, {
      method: 'POST',
      headers: { accept },
      body: new URLSearchParams({ payload: token }),
    }),
  )
}

const accountOf = async (email: string) =>
  open.database.selectFrom('auth_users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

/** Explains every executed statement and returns those that read a whole table. */
async function findScans(): Promise<readonly string[]> {
  const run = statements.all()
  expect(run.length).toBeGreaterThan(0)
  const explain = open.dialectName === 'postgres' ? explainOnPostgres : explainOnSqlite
  const found: string[] = []
  for (const statement of run) {
    const plan = await explain(open.database, statement)
    if (plan.scanned.length > 0 || plan.mostRows > mostRows)
      found.push(`${plan.scanned.join(', ')} ${plan.mostRows}: ${statement.sql}`)
  }
  return found
}

test('a first visit, its log-in and every kind of later visit use indexes only', async () => {
  statements.clear()
  const { id } = await accountOf('ingrid.solberg@fjordklinikken.example')
  const first = await readBoot(await post(visit))
  await receiver.completePending(first.handle ?? '', id)
  const contacts = {
    new: { id: 'new', firstname: 'A', lastname: 'B' },
    'known to nobody in particular': { id: 'c-77', firstname: 'first77', lastname: 'last77' },
    known: { id: 'c-77', email: 'a@example.com' },
    'known by its identity number': { id: 'unknown', ssn: '10000000078', firstname: 'first78' },
  }
  for (const [name, contact] of Object.entries(contacts))
    expect((await readBoot(await post({ ...visit, contact }))).contact?.kind).toBe(
      name === 'new' ? 'created' : 'selected',
    )
  const { url } = await (await post(visit, 'application/json')).json()
  expect((await readBoot(await receiver.open(new Request(url)))).kind).toBe('signed-in')
  const run = statements.all()
  for (const table of [
    'used_tokens',
    'held_deliveries',
    'partner_employees',
    'persons',
    'person_custom_ids',
    'auth_sessions',
    'audit_entries',
  ])
    expect(
      run.some(statement => statement.sql.includes(`"${table}"`)),
      table,
    ).toBe(true)
  expect(await findScans()).toEqual([])
})

const kept = { id: 'usual', firstname: 'Åse', lastname: 'Berg', mobile: '+4740000000' }

/** Visits about a contact that is kept with a corrected number, and whether the stores take them. */
const laterVisits = [
  ['the same data', kept, 'selected', false],
  ['less data', { id: 'usual', lastname: 'Berg' }, 'selected', false],
  ['another number than the one that was typed', { ...kept, mobile: '+4741111111' }, 'selected', false],
  ['names in capitals', { ...kept, lastname: 'BERG' }, 'selected', false],
  ['one more field', { ...kept, email: 'a@example.com' }, 'selected', true],
  ['another name', { ...kept, lastname: 'Dahl' }, 'choose', true],
  ['another date of birth than none', { ...kept, birthdate: '1980-01-02' }, 'selected', true],
  ['another identifier', { ...kept, id: 'unusual' }, 'created', true],
] as const

test.each(laterVisits)('a later visit with %s is taken once', async (_name, contact, kind, isUnusual) => {
  const { database } = open
  await post({ ...visit, contact: kept })
  const before = await Promise.all([countRows('auth_sessions'), countRows('audit_entries')])
  statements.clear()
  const answer = await post({ ...visit, contact })
  const words = statements.words()
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect((await readBoot(answer)).contact?.kind).toBe(kind)
  expect(await Promise.all([countRows('auth_sessions'), countRows('audit_entries')])).toEqual(
    before.map(rows => rows + 1),
  )
  const employee = await readEmployee(auth, database, new Headers({ cookie }))
  expect(employee?.email).toBe('ingrid.solberg@fjordklinikken.example')
  const usual = ['begin', 'select', 'select', 'insert', 'insert', 'insert', 'commit']
  if (!isUnusual) return expect(words).toEqual(usual)
  expect(words.length).toBeGreaterThan(usual.length)
  expect(words.length).toBeLessThanOrEqual(mostStatements)
})

test('a failure of the shared statement is reported, and the visit left to the stores', async () => {
  const database = open.database.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: () => Promise.reject(new RangeError('not taken')),
  })
  const failures: unknown[] = []
  const take = knownVisits(auth, { ...open, database }, error => failures.push(error))
  const requestId = 'request'
  const partnerId = 'partner'
  const taken = await take({
    claim: { key: 'token', expiresAt: new Date(), requestId },
    person: { customId: 'usual' },
    session: { isFramed: false, partnerId, linkId: 'link' },
    entry: {
      at: new Date(),
      requestId,
      event: 'post',
      outcome: 'signed-in',
      partnerId,
      organizationId: undefined,
      accountId: undefined,
      employeeDigest: undefined,
    },
    request: new Request(publicUrl),
  })
  expect(taken).toBeUndefined()
  expect(failures).toEqual([new RangeError('not taken')])
})

const countRows = async (table: 'auth_sessions' | 'audit_entries'): Promise<number> => {
  const { count } = await open.database
    .selectFrom(table)
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

test.each([
  ['by a word of the name', { text: 'last4711' }],
  ['by the beginnings of two words', { text: 'last471 first5' }],
  ['by an identifier', { customId: 'c-77' }],
  ['by a user id', { ids: [77] }],
  ['all, as far as a list goes', {}],
])('persons are listed %s by an index', async (_name, filter) => {
  const { organizationId } = await accountOf('ingrid.solberg@fjordklinikken.example')
  statements.clear()
  const persons = await listPersons(open.database, open.search, organizationId, filter)
  expect(persons.length).toBeGreaterThan(0)
  const page = { ...filter, offset: 0, limit: 200 }
  const total = await countPersons(open.database, open.search, organizationId, page)
  expect(total).toBe(Object.keys(filter).length > 0 ? persons.length : mostRows)
  expect(await findScans()).toEqual([])
})

test('a person’s workouts are found by an index', async () => {
  const { organizationId } = await accountOf('ingrid.solberg@fjordklinikken.example')
  statements.clear()
  await listWorkoutsOf(open.database, organizationId, [77])
  expect(await findScans()).toEqual([])
})

test('a full read of a table is detected', async () => {
  statements.clear()
  await open.database.selectFrom('persons').select('id').where('firstname', '=', 'first5').execute()
  expect(await findScans()).toHaveLength(1)
})
