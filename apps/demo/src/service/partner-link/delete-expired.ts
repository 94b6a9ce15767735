import type { Database } from '../database/tables.ts'

/**
 * Deletes deliveries whose time to wait is over, which hold a person's data, and used tokens that would be refused for
 * their age anyway.
 */
export async function deleteExpired(database: Database): Promise<void> {
  const now = Date.now()
  for (const table of ['held_deliveries', 'used_tokens'] as const)
    await database.deleteFrom(table).where('expires_at', '<=', now).execute()
}
