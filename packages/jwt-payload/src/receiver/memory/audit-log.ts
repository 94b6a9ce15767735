import type { AuditEntry, AuditLog } from '../ports/audit.ts'
import type { JournaledMap } from './journaled-map.ts'

/** Entries that are kept; older ones give way. */
const maxEntries = 10_000

/** An audit log in memory, of the newest 10,000 entries. */
export function createMemoryAuditLog(entries: JournaledMap<string, AuditEntry>): AuditLog {
  return {
    record: async entry => {
      const { requestId, event, outcome, employeeDigest = '' } = entry
      const key = `${requestId} ${event} ${outcome} ${employeeDigest}`
      if (entries.get(key)) return
      entries.set(key, entry)
      if (entries.size <= maxEntries) return
      for (const [oldest] of entries.entries()) {
        entries.delete(oldest)
        break
      }
    },
  }
}
