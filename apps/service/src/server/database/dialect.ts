import { foldTwins } from '@service-link/protocol-core/person'
import { type Dialect, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './tables.ts'

/** The full-text index; its statements differ by database. */
export interface TextSearch {
  /** Makes the index of records and the index over persons' `search_text`. The database keeps the second one up to date. */
  createIndexes(database: Database): Promise<void>
  put(database: Database, entry: SearchEntry): Promise<void>
  /** Table of the records with words that begin with each of these; the best has the lowest rank. */
  matches(kind: SearchKind, words: readonly string[]): RawBuilder<SearchMatch>
  /** Condition on `persons`: the person is of the organization and has words that begin with each of these. */
  personMatches(organizationId: number, words: readonly string[]): Expression<SqlBool>
}

export type SearchKind = 'exercise' | 'workout'

export interface SearchMatch {
  readonly id: number
  readonly rank: number
}

/** The records of a kind that match a text; all of them if it has no words. */
export function matchesOf(search: TextSearch, kind: SearchKind, text: string) {
  const words = searchStems(text)
  const found =
    words.length === 0
      ? sql<SearchMatch>`(select id, 0 as rank from ${sql.table(`${kind}s`)})`
      : search.matches(kind, words)
  return found.as('found')
}

/** How many rows a statement has in all its pages. */
export const totalRows = sql<number>`cast(count(*) over () as integer)`.as('total')

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
  /** Column types of a generated row number, of the log-in library's points in time, and of a text that is sorted by its bytes. */
  readonly columnTypes: { readonly id: string; readonly time: string; readonly bytes: string }
  /** Makes the primary key's index the table itself, where the database can. */
  readonly keyedTable: 'without rowid' | ''
}

/** Cuts a typed text into at most 12 search words: lower case, letters and digits of any script, without accents. */
export function searchWords(text: string): string[] {
  return allWords(text).slice(0, 12)
}

/** Search words without their English or Norwegian plural. A search finds words by their beginning. */
export function searchStems(text: string): string[] {
  return searchWords(text).map(word =>
    word.length < 4
      ? word
      : word.replace(/(?<=[sxz]|ch|sh)es$|(?<=[^isu])s$|(?<=..)ies$|(?<=e)(?:r|ne)$/u, ''),
  )
}

/** Longest search word in characters; the rest is cut off, because an index has a limit. */
const maxWordLength = 64

/** All words of a text. A date is one word, however it is written. */
export function allWords(text: string): string[] {
  const words = joinDates(foldText(text)).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.map(word => Array.from(word).slice(0, maxWordLength).join(''))
}

/** Letters that Unicode does not take apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Folds a text for comparison: lower case, accents and typographic twins dropped, any script kept. Å is found as `a` and as `aa`. */
export function foldText(text: string): string {
  return foldTwins(text)
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[øæœßłđðþı]/gu, letter => plainLetters[letter] ?? letter)
    .replaceAll('aa', 'a')
    .normalize('NFC')
}

/** English and Norwegian months by their first three letters. */
const months = ['jan', 'feb', 'mar', 'apr', 'ma[yi]', 'jun', 'jul', 'aug', 'sep', 'o[ck]t', 'nov', 'de[cs]']

const datePatterns = [
  /\b(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})\b/gu,
  /\b(?<day>\d{1,2})[./] ?(?<month>\d{1,2})[./] ?(?<year>\d{4})\b/gu,
  /\b(?<day>\d{1,2})\.? (?<name>[a-z]{3,9})\.? (?<year>\d{4})\b/gu,
  /\b(?<name>[a-z]{3,9})\.? (?<day>\d{1,2}), (?<year>\d{4})\b/gu,
]

/** Writes each date of a folded text as eight digits: `29 feb 1984` and `29.02.1984` as `19840229`. */
function joinDates(text: string): string {
  return datePatterns.reduce(
    (joined, pattern) =>
      joined.replace(pattern, (written: string, ...rest: unknown[]) => {
        const { year = '', month, day = '', name = '' } = Object(rest.at(-1))
        const number = Number(month ?? months.findIndex(start => new RegExp(`^${start}`).test(name)) + 1)
        if (number < 1 || number > 12) return written
        return `${year}${String(number).padStart(2, '0')}${day.padStart(2, '0')}`
      }),
    text,
  )
}
