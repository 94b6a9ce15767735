import type { Dialect, Expression, SqlBool } from 'kysely'
import type { Database } from './tables.ts'

/** What a full-text index is asked and told; the one part of the database that differs by dialect. */
export interface TextSearch {
  /** Makes the index of records, and that over persons' `search_text`, which keeps itself up to date. */
  createIndexes(database: Database): Promise<void>
  /** Puts a record into the index, in place of what it had there. */
  put(database: Database, entry: SearchEntry): Promise<void>
  /**
   * Finds records whose words begin with every word of the text; best first.
   *
   * @returns ids, at most `limit`
   */
  find(database: Database, kind: SearchKind, text: string, limit: number): Promise<number[]>
  /**
   * The condition, on `persons`, that one of the organization's has words that begin with every one of these.
   *
   * @param words from `searchWords`; at least one
   */
  personMatches(organizationId: number, words: readonly string[]): Expression<SqlBool>
}

/** What is searched. */
export type SearchKind = 'exercise' | 'workout'

/** One record of the index. */
interface SearchEntry {
  readonly kind: SearchKind
  readonly id: number
  /** Counts most. */
  readonly title: string
  readonly body: string
}

/** Connections of a pool at this moment. */
export interface PoolCounts {
  readonly total: number
  readonly idle: number
  /** Requests that wait for a connection. */
  readonly waiting: number
}

/** All that depends on the kind of database. */
export interface DatabaseDialect {
  /** As the log-in library calls it. */
  readonly name: 'sqlite' | 'postgres'
  readonly kysely: Dialect
  /** Connections without a limit of time, for migrations. Default: `kysely`. */
  readonly migrating?: () => Dialect
  /** Counts the connections of `kysely`, where it has a pool of them. */
  readonly pool?: () => PoolCounts
  readonly search: TextSearch
  /** Types of a number that the database gives to a row, and of a point in time of the log-in library. */
  readonly columnTypes: { readonly id: string; readonly time: string }
}
