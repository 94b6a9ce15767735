import type { Migration } from 'kysely/migration'
import { derivedColumnsOf } from '../persons/person-row.ts'
import type { Database, PersonRow } from './tables.ts'

/** Rows that are read at a time. */
const pageSize = 500

/** Earlier versions kept these dates, which programs write for no date. */
const isNoDate = (date: string | null) =>
  date !== null && (date.startsWith('0001-') || ['1753-01-01', '1899-12-30', '1900-01-01'].includes(date))

/**
 * Makes the columns by which persons are found anew: identity numbers in one form for all spellings of a country, words without
 * typographic twins. Empties dates of birth that mean no date. Writes only rows that change.
 */
export const personKeysMigration: Migration = {
  async up(database: Database) {
    for (let last = 0, rows: readonly PersonRow[] = []; ; last = rows.at(-1)?.id ?? last) {
      rows = await database
        .selectFrom('persons')
        .selectAll()
        .where('id', '>', last)
        .orderBy('id')
        .limit(pageSize)
        .execute()
      if (rows.length === 0) return
      for (const row of rows) {
        const date_of_birth = isNoDate(row.date_of_birth) ? null : row.date_of_birth
        const columns = { date_of_birth, ...derivedColumnsOf({ ...row, date_of_birth }) }
        const changes = Object.entries(columns).filter(
          ([name, value]) => row[name as keyof PersonRow] !== value,
        )
        if (changes.length > 0)
          await database
            .updateTable('persons')
            .set(Object.fromEntries(changes))
            .where('id', '=', row.id)
            .execute()
      }
    }
  },
}
