import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Tells of each session which link made it, so that it ends with the link. A session that was there before does not tell:
 * all end once. The reference is looked at when a transaction commits; the link may go before its sessions do.
 */
export async function addSessionLinks(db: Kysely<Tables>): Promise<void> {
  for (const table of ['auth_sessions', 'frame_sessions'] as const) {
    await db.deleteFrom(table).execute()
    await db.schema
      .alterTable(table)
      .addColumn('linkId', 'text', column =>
        column.references('partner_employees.employee_digest').modifyEnd(sql`deferrable initially deferred`),
      )
      .execute()
    await db.schema.createIndex(`${table}_by_link`).on(table).column('linkId').execute()
  }
}
