import type { SelectQueryBuilder } from 'kysely'
import type { Database, Tables } from '../database/tables.ts'

/** How far apart the clocks of two processes of the service may be, in milliseconds. */
const clockToleranceMs = 5 * 60 * 1000

/**
 * Whether a session is over, whatever its expiry says: it is as old as a session may become, or it began in the future, so
 * that the clock of its beginning was wrong.
 */
export function isOver(createdAt: Date, longestMs: number, now = Date.now()): boolean {
  const ageMs = now - createdAt.getTime()
  return ageMs >= longestMs || ageMs < -clockToleranceMs
}

const sessionTables = ['auth_sessions', 'frame_sessions'] as const

type Ids = readonly string[] | SelectQueryBuilder<Tables, keyof Tables, { id: string }>

/** Ends the employees' sessions of links, partners or accounts, in windows and in frames. Returns how many there were. */
export async function endSessions(
  database: Database,
  by: 'linkId' | 'partnerId' | 'userId',
  ids: Ids,
): Promise<number> {
  let count = 0n
  for (const table of sessionTables) {
    const { numDeletedRows } = await database.deleteFrom(table).where(by, 'in', ids).executeTakeFirst()
    count += numDeletedRows
  }
  return Number(count)
}

/** Ends all that came from a partner and could still be used: sessions, one-time URLs, and payloads that wait for a log-in. */
export async function endPartner(database: Database, id: string): Promise<number> {
  await database.deleteFrom('held_deliveries').where('partner_id', '=', id).execute()
  return endSessions(database, 'partnerId', [id])
}

/** Ends the same of all partners but these. */
export async function endOtherPartners(database: Database, ids: readonly string[]): Promise<void> {
  // No partner has an empty id: PostgreSQL takes no empty list.
  const kept = ['', ...ids]
  await database.deleteFrom('held_deliveries').where('partner_id', 'not in', kept).execute()
  for (const table of sessionTables)
    await database.deleteFrom(table).where('partnerId', 'not in', kept).execute()
}
