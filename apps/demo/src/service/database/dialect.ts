import type { ColumnDefinitionBuilder, Dialect } from 'kysely'
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

/** All that depends on the kind of database. */
export interface DatabaseDialect {
  /** As the log-in library calls it. */
  readonly name: 'sqlite' | 'postgres'
  readonly kysely: Dialect
  readonly search: TextSearch
  /** Column type of a point in time that the log-in library writes. */
  readonly timestampType: 'text' | 'timestamptz'
  /** Makes a column number its rows by itself. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
}
