import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/server/database/open-database.ts'
import { findOrCreateOrganization } from '../../src/server/demo-data.ts'
import { cleanUp } from '../../src/server/operations/clean-up.ts'
import { makeTestDatabase } from '../support/stores.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const dayMs = 24 * 60 * 60 * 1000
const ms = now.getTime()

test('all expired rows are deleted, and no others', async () => {
  await using testDatabase = await makeTestDatabase()
  const open = await testDatabase.open()
  const { database } = open
  const entry = { event: 'post', outcome: 'signed-in', partner_id: 'p' }
  for (let index = 0; index < 1201; index++)
    await database
      .insertInto('used_tokens')
      .values({ token_key: `old ${index}`, expires_at: ms, request_id: 'r' })
      .execute()
  await database
    .insertInto('used_tokens')
    .values({ token_key: 'new', expires_at: ms + 1, request_id: 'r' })
    .execute()
  for (const [handle_digest, expires_at] of [
    ['old', ms],
    ['new', ms + 1],
  ] as const)
    await database
      .insertInto('held_deliveries')
      .values({ handle_digest, purpose: 'open', partner_id: 'p', delivery: '{}', expires_at })
      .execute()
  for (const days of [401, 400, 399])
    await database
      .insertInto('audit_entries')
      .values({ ...entry, request_id: String(days), at: new Date(ms - days * dayMs).toISOString() })
      .execute()
  await cleanUp({ ...open, auditDays: 400, now })
  const rows = async (table: 'used_tokens' | 'held_deliveries' | 'audit_entries') =>
    database.selectFrom(table).selectAll().execute()
  expect(await rows('used_tokens')).toMatchObject([{ token_key: 'new' }])
  expect(await rows('held_deliveries')).toMatchObject([{ handle_digest: 'new' }])
  expect(await rows('audit_entries')).toMatchObject([{ at: new Date(ms - 399 * dayMs).toISOString() }])
})

/** Inserts a row with times and booleans in the log-in library's form for this database. */
async function insertRow(
  { database, dialectName }: OpenDatabase,
  table: string,
  row: Readonly<Record<string, string | number | boolean | Date>>,
): Promise<void> {
  const written = Object.values(row).map(value => {
    if (dialectName === 'postgres') return value
    return value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? Number(value) : value
  })
  const columns = sql.join(Object.keys(row).map(name => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(written)})`.execute(database)
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

test.each<[string, string, (open: OpenDatabase, id: string, endsAt: Date) => Promise<void>]>([
  [
    'auth_sessions',
    'id',
    async (open, id, endsAt) => {
      await insertEmployee(open, id)
      await insertRow(open, 'auth_sessions', sessionOf(id, endsAt))
    },
  ],
  [
    'frame_sessions',
    'id',
    async (open, id, endsAt) => {
      await insertEmployee(open, id)
      await insertRow(open, 'frame_sessions', { ...sessionOf(id, endsAt), partnerId: 'p' })
    },
  ],
  [
    'consumer_sessions',
    'id',
    async (open, id, endsAt) => {
      await insertConsumer(open, id)
      await insertRow(open, 'consumer_sessions', sessionOf(id, endsAt))
    },
  ],
  [
    'auth_verifications',
    'id',
    (open, id, expiresAt) =>
      insertRow(open, 'auth_verifications', { id, identifier: id, value: 'v', expiresAt, ...times }),
  ],
  [
    'rate_counts',
    'key_digest',
    (open, id, endsAt) =>
      insertRow(open, 'rate_counts', { key_digest: id, count: 1, ends_at: endsAt.getTime() }),
  ],
])('of %s the expired rows are deleted, and no others', async (table, key, insert) => {
  await using testDatabase = await makeTestDatabase()
  const open = await testDatabase.open()
  await insert(open, 'old', new Date(ms - dayMs))
  await insert(open, 'just over', now)
  await insert(open, 'new', new Date(ms + 1))
  await cleanUp({ ...open, auditDays: 400, now })
  const { rows } = await sql`select ${sql.ref(key)} as id from ${sql.table(table)}`.execute(open.database)
  expect(rows).toEqual([{ id: 'new' }])
})
