import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TextSearch } from '../dialect.ts'
import { allWords, searchWords } from '../search-words.ts'

/**
 * Full-text search by PostgreSQL's own: words without regard to case and accents, found by their beginning. The service
 * folds and cuts the words itself, so that no extension and no language's configuration is needed.
 */
export const postgresSearch: TextSearch = {
  async createIndex(database) {
    await sql`create table text_search (
      kind text not null, id integer not null, words tsvector not null, primary key (kind, id))`.execute(
      database,
    )
    await sql`create index text_search_by_words on text_search using gin (words)`.execute(database)
  },

  async put(database, { kind, id, title, body }) {
    await sql`insert into text_search (kind, id, words)
      values (${kind}, ${id}, setweight(${vectorOf(title)}, 'A') || setweight(${vectorOf(body)}, 'D'))
      on conflict (kind, id) do update set words = excluded.words`.execute(database)
  },

  async find(database, kind, text, limit) {
    const words = searchWords(text)
    if (words.length === 0) return []
    const query = queryOf(words)
    const found = await sql<{ id: number }>`select id from text_search
      where kind = ${kind} and words @@ ${query}
      order by ts_rank(array[0.125, 0.2, 0.4, 1]::real[], words, ${query}) desc, id limit ${limit}`.execute(
      database,
    )
    return found.rows.map(row => row.id)
  },

  async createPersonIndex(database) {
    await sql`create index persons_by_words on persons using gin ((${personWords}))`.execute(database)
  },

  personMatches(organizationId, words) {
    const inOrganization = sql`${`'o${organizationId}'`}::tsquery`
    return sql<SqlBool>`${personWords} @@ (${inOrganization} && ${queryOf(words)})`
  },
}

/** A person's words and, as one more, its organization: the index finds both at once. */
const personWords = sql`array_to_tsvector(string_to_array('o' || organization_id || ' ' || search_text, ' '))`

function vectorOf(text: string): RawBuilder<unknown> {
  return sql`to_tsvector('simple', ${allWords(text).join(' ')})`
}

/** Words hold letters and digits only, so that quotes around one cannot be left. */
function queryOf(words: readonly string[]): RawBuilder<unknown> {
  return sql`${words.map(word => `'${word}':*`).join(' & ')}::tsquery`
}
