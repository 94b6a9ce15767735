import { expect, test } from 'vitest'
import type { AuditEntry } from '../ports/audit.ts'
import { createMemoryAuditLog } from './audit-log.ts'
import { JournaledMap } from './journaled-map.ts'

test('the audit log in memory keeps the newest 10,000 entries', async () => {
  const entries = new JournaledMap<string, AuditEntry>([])
  const log = createMemoryAuditLog(entries)
  const entry: AuditEntry = {
    at: new Date('2026-06-01T12:00:00Z'),
    requestId: '',
    event: 'post',
    outcome: 'signed-in',
    partnerId: 'p',
    organizationId: 'o',
    accountId: 'a',
    employeeDigest: undefined,
  }
  for (let count = 0; count < 10_003; count++) await log.record({ ...entry, requestId: String(count) })
  const kept = Array.from(entries.values(), ({ requestId }) => Number(requestId))
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([10_000, 3, 10_002])
})
