import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Contacts without an `ssn` are not found by their CustomId any more, which may be the identity number of somebody else. */
export async function dropGuessedNumbers(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('persons')
    .set({ identity_key: null })
    .where(({ or, eb }) => or([eb('ssn', 'is', null), eb('ssn', '=', '')]))
    .execute()
}
