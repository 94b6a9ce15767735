import { expect, test } from 'vitest'
import { cleanUp } from '../src/service/operations/clean-up.ts'
import { makeTestDatabase } from './_database.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const dayMs = 24 * 60 * 60 * 1000
const ms = now.getTime()

test('what is over is deleted, however much it is, and nothing else', async () => {
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
      .values({ handle_digest, purpose: 'open', delivery: '{}', expires_at })
      .execute()
  for (const minute of [ms / 60_000 - 2, ms / 60_000 - 1, ms / 60_000])
    await database.insertInto('partner_posts').values({ partner_id: 'p', minute, count: 1 }).execute()
  for (const days of [401, 400, 399])
    await database
      .insertInto('audit_entries')
      .values({ ...entry, request_id: String(days), at: new Date(ms - days * dayMs).toISOString() })
      .execute()
  await cleanUp({ ...open, auditDays: 400, now })
  const rows = async (table: 'used_tokens' | 'held_deliveries' | 'partner_posts' | 'audit_entries') =>
    database.selectFrom(table).selectAll().execute()
  expect(await rows('used_tokens')).toMatchObject([{ token_key: 'new' }])
  expect(await rows('held_deliveries')).toMatchObject([{ handle_digest: 'new' }])
  expect(await rows('partner_posts')).toMatchObject([{ minute: ms / 60_000 - 1 }, { minute: ms / 60_000 }])
  expect(await rows('audit_entries')).toMatchObject([{ at: new Date(ms - 399 * dayMs).toISOString() }])
})
