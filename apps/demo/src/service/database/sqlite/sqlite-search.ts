import { sql } from 'kysely'
import { searchWords } from '../../../content/search-words.ts'
import type { SearchKind, TextSearch } from '../dialect.ts'

/** Full-text search by SQLite's FTS5: words without regard to case and accents, found by their beginning. */
export const sqliteSearch: TextSearch = {
  async createIndex(database) {
    await sql`create virtual table text_search using fts5(
      title, body, tokenize = "unicode61 remove_diacritics 2")`.execute(database)
  },

  async put(database, { kind, id, title, body }) {
    const rowid = rowidOf(kind, id)
    await sql`delete from text_search where rowid = ${rowid}`.execute(database)
    await sql`insert into text_search (rowid, title, body) values (${rowid}, ${title}, ${body})`.execute(
      database,
    )
  },

  async find(database, kind, text, limit) {
    const words = searchWords(text)
    if (words.length === 0) return []
    const query = words.map(word => `"${word}"*`).join(' ')
    const found = await sql<{ rowid: number }>`select rowid from text_search
      where text_search match ${query} and rowid % 2 = ${rowidOf(kind, 0)}
      order by bm25(text_search, 8, 1), rowid limit ${limit}`.execute(database)
    return found.rows.map(row => (row.rowid - rowidOf(kind, 0)) / 2)
  },
}

/** Both kinds share the index: exercises have the even rows, workouts the odd ones. */
function rowidOf(kind: SearchKind, id: number): number {
  return id * 2 + (kind === 'workout' ? 1 : 0)
}
