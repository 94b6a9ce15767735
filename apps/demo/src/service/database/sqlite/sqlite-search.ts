import { type SqlBool, sql } from 'kysely'
import type { SearchKind, TextSearch } from '../dialect.ts'
import { searchWords } from '../search-words.ts'

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

  async createPersonIndex(database) {
    await sql`create virtual table person_search using fts5(organization_id, search_text,
      content = 'persons', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')`.execute(
      database,
    )
    await sql`insert into person_search (person_search) values ('rebuild')`.execute(database)
    const columns = sql.raw('rowid, organization_id, search_text')
    const values = (row: 'old' | 'new') => sql.raw(`${row}.id, ${row}.organization_id, ${row}.search_text`)
    const remove = sql`insert into person_search (person_search, ${columns}) values ('delete', ${values('old')})`
    const add = sql`insert into person_search (${columns}) values (${values('new')})`
    await sql`create trigger persons_found after insert on persons begin ${add}; end`.execute(database)
    await sql`create trigger persons_forgotten after delete on persons begin ${remove}; end`.execute(database)
    await sql`create trigger persons_found_again after update of organization_id, search_text on persons
      begin ${remove}; ${add}; end`.execute(database)
  },

  personMatches(organizationId, words) {
    const query = words.map(word => `"${word}"*`).join(' ')
    return sql<SqlBool>`persons.id in (select rowid from person_search
      where person_search match ${`organization_id : "${organizationId}" AND search_text : (${query})`})`
  },
}

/** Both kinds share the index: exercises have the even rows, workouts the odd ones. */
function rowidOf(kind: SearchKind, id: number): number {
  return id * 2 + (kind === 'workout' ? 1 : 0)
}
