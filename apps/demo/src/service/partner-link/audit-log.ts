import type { AuditEntry, AuditLog } from '@service-link/jwt-payload/receiver'
import type { Database } from '../database/tables.ts'

/** The audit log in the database, or in a transaction on it: an entry of what takes effect stands or falls with it. */
export function databaseAuditLog(database: Database): AuditLog {
  return {
    async record(entry: AuditEntry) {
      await database
        .insertInto('audit_entries')
        .values({
          at: entry.at.toISOString(),
          request_id: entry.requestId,
          event: entry.event,
          outcome: entry.outcome,
          partner_id: entry.partnerId,
          organization_id: entry.organizationId ?? null,
          account_id: entry.accountId ?? null,
          employee_digest: entry.employeeDigest ?? null,
        })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },
  }
}

/**
 * An audit log for entries that nobody waits for: tells when one could not be kept, and fails as before.
 *
 * @returns disposing it waits for the entries that are being written
 */
export function watchedAuditLog(
  log: AuditLog,
  onFailure: (error: unknown) => void,
): AuditLog & AsyncDisposable {
  const running = new Set<Promise<void>>()
  return {
    async record(entry) {
      const writing = log.record(entry)
      running.add(writing)
      try {
        await writing
      } catch (error) {
        onFailure(error)
        throw error
      } finally {
        running.delete(writing)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(running)
    },
  }
}
