import type { ColumnDefinitionBuilder, Dialect, Expression, SqlBool } from 'kysely'
import type { Database } from './tables.ts'

/** What a full-text index is asked and told; the one part of the database that differs by dialect. */
export interface TextSearch {
  /** Makes the index; part of the first migration. */
  createIndex(database: Database): Promise<void>
  /** Puts a record into the index, in place of what it had there. */
  put(database: Database, entry: SearchEntry): Promise<void>
  /**
   * Finds records whose words begin with every word of the text; best first.
   *
   * @returns ids, at most `limit`
   */
  find(database: Database, kind: SearchKind, text: string, limit: number): Promise<number[]>
  /** Makes the index over persons' `search_text`, which keeps itself up to date from then on. */
  createPersonIndex(database: Database): Promise<void>
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
export interface SearchEntry {
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
  /** Column type of a point in time that the log-in library writes. */
  readonly timestampType: 'text' | 'timestamptz'
  /** Makes a column number its rows by itself. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
}
