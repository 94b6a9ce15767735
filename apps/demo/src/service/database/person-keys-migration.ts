import { foldTwins, normalizeIdentityNumber } from '@service-link/protocol-core/person'
import type { Migration } from 'kysely/migration'
import type { Database, PersonRow } from './tables.ts'

/** Rows that are read at a time. */
const pageSize = 500

/** Earlier versions kept these dates, which programs write for no date. */
const isNoDate = (date: string) =>
  date.startsWith('0001-') || ['1753-01-01', '1899-12-30', '1900-01-01'].includes(date)

/**
 * Brings the persons of earlier versions up to date: identity numbers are found by one form of all spellings of a country, names
 * without typographic twins, and no date of birth means no date. Writes only rows that change.
 */
export const personKeysMigration: Migration = {
  async up(database: Database) {
    for (let last = 0, rows: readonly KeyedRow[] = []; ; last = rows.at(-1)?.id ?? last) {
      rows = await database
        .selectFrom('persons')
        .select(['id', 'ssn', 'date_of_birth', 'identity_key', 'sort_name', 'search_text'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(pageSize)
        .execute()
      if (rows.length === 0) return
      for (const row of rows) {
        const changes = changesOf(row)
        if (Object.keys(changes).length === 0) continue
        await database.updateTable('persons').set(changes).where('id', '=', row.id).execute()
      }
    }
  },
}

type KeyedRow = Pick<PersonRow, 'id' | 'ssn' | 'date_of_birth' | 'identity_key' | 'sort_name' | 'search_text'>

/** The columns whose values change. */
function changesOf({ ssn, date_of_birth, identity_key, sort_name, search_text }: KeyedRow) {
  const number = ssn === null ? null : (normalizeIdentityNumber(ssn) ?? null)
  const [name, words] = [foldTwins(sort_name), foldTwins(search_text).replaceAll("'", ' ')]
  return {
    ...(number !== identity_key && { identity_key: number }),
    ...(name !== sort_name && { sort_name: name }),
    ...(words !== search_text && { search_text: words }),
    ...(date_of_birth !== null && isNoDate(date_of_birth) && { date_of_birth: null }),
  }
}
