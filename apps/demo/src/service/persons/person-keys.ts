import { createHash } from 'node:crypto'
import { allWords, foldText } from '../database/search-words.ts'
import type { PersonChanges, PersonRow } from '../database/tables.ts'

/** Longest text that is its own key, in characters: an entry of an index has a limit, and a field may hold 4,096. */
const maxKeyLength = 128

/** By what a person is found: derived from its other columns, written with them, and never shown. */
export type PersonKeys = Pick<PersonRow, 'custom_id_key' | 'ssn_key' | 'sort_name' | 'search_text'>

/** Derives the columns by which a person is found from all of its others. */
export function personKeysOf(row: PersonChanges): PersonKeys {
  const { firstname, middlename, lastname, custom_id, ssn, date_of_birth, email, mobile } = row
  const searched = [firstname, middlename, lastname, custom_id, date_of_birth, email, mobile]
  return {
    custom_id_key: custom_id ? textKey(custom_id) : null,
    ssn_key: ssn ? textKey(ssn) : null,
    sort_name: foldText(`${lastname ?? ''} ${firstname ?? ''}`).slice(0, maxKeyLength),
    search_text: allWords(searched.filter(Boolean).join(' ')).join(' '),
  }
}

/**
 * What stands for a text of any length in an index: itself, or its digest. Texts of one key are nearly always the same;
 * who looks for one compares the text as well.
 */
export function textKey(text: string): string {
  return text.length <= maxKeyLength ? text : createHash('sha256').update(text).digest('base64url')
}
