import { foldText } from '../database/dialect.ts'
import type { PersonChanges } from '../database/tables.ts'

/** Characters behind z in the order of bytes, for the letters behind z in Norwegian, and Norwegian's places for others' letters. */
const places: Readonly<Record<string, string>> = {
  æ: '{',
  ä: '{',
  ę: '{',
  ø: '|',
  ö: '|',
  ő: '|',
  œ: '|',
  å: '}',
  aa: '}',
  ü: 'y',
  ű: 'y',
}

/** A part of a name whose bytes are in Norwegian order: ... z æ ø å, and `aa` with å. */
function partKey(text: string | null | undefined): string {
  const letters = (text ?? '').normalize('NFC').toLowerCase()
  return foldText(letters.replace(/aa|[æäęøöőœåüű]/gu, letter => places[letter] ?? letter))
}

/** Behind all names. */
const nameless = '\u{10ffff}'

/**
 * The key by which lists are sorted: last name, first name, middle name, as lists show them. Its bytes are the order, so that
 * every database has the same. It is the order of Norwegian for each reader: a clinic has one list.
 */
export function sortKeyOf({ firstname, middlename, lastname }: PersonChanges): string {
  const given = [firstname, middlename].filter(Boolean).join(' ')
  if (!lastname) return partKey(given) || nameless
  return `${partKey(lastname)}\u0001${partKey(given)}`
}
