import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/server/database/open-database.ts'
import { findOrCreateOrganization } from '../../src/server/demo-data.ts'
import { cleanUp } from '../../src/server/operations/clean-up.ts'
import { doneDaysOf, setDone } from '../../src/server/workouts/done-days.ts'
import { seedLibrary } from '../../src/server/workouts/library.ts'
import { makeTestDatabase } from '../support/stores.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const dayMs = 24 * 60 * 60 * 1000
const ms = now.getTime()

test('of many expired rows all are deleted', async () => {
  await using testDatabase = await makeTestDatabase()
  const open = await testDatabase.open()
  const rows = Array.from({ length: 1201 }, (_, index) => `old ${index}`)
  for (const token_key of [...rows, 'new'])
    await open.database
      .insertInto('used_tokens')
      .values({ token_key, expires_at: token_key === 'new' ? ms + 1 : ms, request_id: 'r' })
      .execute()
  await cleanUp({ ...open, auditDays: 400, now })
  expect(await open.database.selectFrom('used_tokens').selectAll().execute()).toMatchObject([
    { token_key: 'new' },
  ])
})

/** Inserts a row; the dialect writes times and booleans. */
async function insertRow(
  { database }: OpenDatabase,
  table: string,
  row: Readonly<Record<string, string | number | boolean | Date>>,
): Promise<void> {
  const columns = sql.join(Object.keys(row).map(name => sql.ref(name)))
  const values = sql.join(Object.values(row))
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(database)
}

/** Columns of every table of the log-in library. */
const times = { createdAt: now, updatedAt: now }

async function insertEmployee(open: OpenDatabase, id: string): Promise<void> {
  const organizationId = await findOrCreateOrganization(open.database, 'Clinic')
  await insertRow(open, 'auth_users', { ...userOf(id), organizationId })
}

const insertConsumer = (open: OpenDatabase, id: string) =>
  insertRow(open, 'consumer_users', { ...userOf(id), identityNumber: '1' })

const userOf = (id: string) => ({ id, name: 'A', email: `${id}@a.example`, emailVerified: false, ...times })

const sessionOf = (id: string, expiresAt: Date) => ({ id, token: id, userId: id, expiresAt, ...times })

type Row = Parameters<typeof insertRow>[2]

test.each<[string, string, (id: string, endsAt: Date) => Row, typeof insertEmployee?]>([
  ['auth_sessions', 'id', sessionOf, insertEmployee],
  ['frame_sessions', 'id', (id, endsAt) => ({ ...sessionOf(id, endsAt), partnerId: 'p' }), insertEmployee],
  ['consumer_sessions', 'id', sessionOf, insertConsumer],
  ['auth_verifications', 'id', (id, expiresAt) => ({ id, identifier: id, value: 'v', expiresAt, ...times })],
  ['rate_counts', 'key_digest', (id, endsAt) => ({ key_digest: id, count: 1, ends_at: endsAt.getTime() })],
  [
    'held_deliveries',
    'handle_digest',
    (id, endsAt) => {
      const held = {
        handle_digest: id,
        purpose: 'open',
        partner_id: 'p',
        employee_digest: 'e',
        delivery: '{}',
      }
      return { ...held, expires_at: endsAt.getTime() }
    },
  ],
  [
    'audit_entries',
    'request_id',
    (id, endsAt) => {
      const entry = { request_id: id, event: 'post', outcome: 'signed-in', partner_id: 'p' }
      return { ...entry, at: new Date(endsAt.getTime() - 400 * dayMs).toISOString() }
    },
  ],
])('of %s the expired rows are deleted, and no others', async (table, key, rowOf, insertOwner) => {
  await using testDatabase = await makeTestDatabase()
  const open = await testDatabase.open()
  for (const [id, endsAt] of [
    ['old', new Date(ms - dayMs)],
    ['just over', now],
    ['new', new Date(ms + 1)],
  ] as const) {
    await insertOwner?.(open, id)
    await insertRow(open, table, rowOf(id, endsAt))
  }
  await cleanUp({ ...open, auditDays: 400, now })
  const { rows } = await sql`select ${sql.ref(key)} as id from ${sql.table(table)}`.execute(open.database)
  expect(rows).toEqual([{ id: 'new' }])
})

test('days on which a workout was done are kept for a year', async () => {
  await using testDatabase = await makeTestDatabase()
  const open = await testDatabase.open()
  await seedLibrary(open.database, open.search)
  for (const day of ['2025-11-20', '2025-11-21', '2025-11-22', '2026-11-21'])
    await setDone(open.database, 1, day, true)
  await cleanUp({ ...open, auditDays: 400, now })
  expect((await doneDaysOf(open.database, [1]))(1)).toEqual(['2026-11-21', '2025-11-22'])
})
