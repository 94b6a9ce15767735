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

/**
 * Cuts what somebody typed into the words to look for: letters and digits of any script, without accents.
 *
 * @returns at most 12 words, lower case; none when nothing can be looked for
 */
export function searchWords(text: string): string[] {
  return allWords(text).slice(0, 12)
}

/** Longest word that is told apart, in characters: an index has a limit of its own, and nobody types so many. */
const maxWordLength = 64

/** Cuts a text into the words by which it is found: as {@link searchWords}, and all of them. */
export function allWords(text: string): string[] {
  const words = foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.map(word => Array.from(word).slice(0, maxWordLength).join(''))
}

/** Folds a text for comparison: lower case, accents dropped, any script kept. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC')
}
