import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import { sqliteDialect } from '../database/sqlite.ts'
import { logInCounts } from './log-in-limits.ts'

test('log-ins over the limit are refused until the window is over, by every process on the database', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-counts-'))
  await using open = await openDatabase(sqliteDialect(folder.path))
  const clock = { ms: 0 }
  const rule = { window: 60, max: 2 }
  const [counts, other] = [
    logInCounts(open.database, () => clock.ms),
    logInCounts(open.database, () => clock.ms),
  ]
  const ask = () => counts.consume('address', rule)
  expect([await ask(), await other.consume('address', rule)]).toMatchObject([
    { allowed: true },
    { allowed: true },
  ])
  clock.ms = 20_000
  expect(await ask()).toEqual({ allowed: false, retryAfter: 40 })
  expect(await other.consume('address', rule)).toEqual({ allowed: false, retryAfter: 40 })
  expect(await counts.consume('another', rule)).toMatchObject({ allowed: true })
  clock.ms = 60_000
  expect(await ask()).toMatchObject({ allowed: true })
  const rows = await open.database.selectFrom('rate_counts').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('address')
})
