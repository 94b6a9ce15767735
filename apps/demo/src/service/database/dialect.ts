import type { Dialect, Expression, SqlBool } from 'kysely'
import type { Database } from './tables.ts'

/** The full-text index; its statements differ by database. */
export interface TextSearch {
  /** Makes the index of records and the index over persons' `search_text`. The database keeps the second one up to date. */
  createIndexes(database: Database): Promise<void>
  put(database: Database, entry: SearchEntry): Promise<void>
  /** Finds records with words that begin with each word of the text; best first. */
  find(database: Database, kind: SearchKind, text: string, limit: number): Promise<number[]>
  /** Condition on `persons`: the person is of the organization and has words that begin with each of these. */
  personMatches(organizationId: number, words: readonly string[]): Expression<SqlBool>
}

export type SearchKind = 'exercise' | 'workout'

interface SearchEntry {
  readonly kind: SearchKind
  readonly id: number
  /** Words here weigh most. */
  readonly title: string
  readonly body: string
}

export interface PoolCounts {
  readonly total: number
  readonly idle: number
  /** Requests that wait for a connection. */
  readonly waiting: number
}

export interface DatabaseDialect {
  /** The log-in library's name of the database. */
  readonly name: 'sqlite' | 'postgres'
  readonly kysely: Dialect
  /** Connections without a time limit, for migrations. Default: `kysely`. */
  readonly migrating?: () => Dialect
  readonly pool?: () => PoolCounts
  readonly search: TextSearch
  /** Column types of a generated row number, and of the log-in library's points in time. */
  readonly columnTypes: { readonly id: string; readonly time: string }
}

/** Cuts a typed text into at most 12 search words: lower case, letters and digits of any script, without accents. */
export function searchWords(text: string): string[] {
  return allWords(text).slice(0, 12)
}

/** Longest search word in characters; the rest is cut off, because an index has a limit. */
const maxWordLength = 64

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
