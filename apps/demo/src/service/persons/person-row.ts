import { createHash } from 'node:crypto'
import { normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
import { type Person, personSchema } from '@service-link/protocol-core'
import { allWords, foldText } from '../database/search-words.ts'
import type { PersonChanges, PersonRow } from '../database/tables.ts'

/** A person as the service keeps it: it always has a service user id. */
export type StoredPerson = Person & { readonly userId: number }

/** Field of a person → its column; profile data and the user id are apart. */
export const personColumns = {
  customId: 'custom_id',
  firstname: 'firstname',
  middlename: 'middlename',
  lastname: 'lastname',
  dateOfBirth: 'date_of_birth',
  ssn: 'ssn',
  diagnosis: 'diagnosis',
  gender: 'gender',
  genderAsSent: 'gender_as_sent',
  email: 'email',
  mobile: 'mobile',
  phoneHome: 'phone_home',
  phoneWork: 'phone_work',
  address: 'address',
  zipcode: 'zipcode',
  location: 'location',
  country: 'country',
  source: 'source',
} as const satisfies Partial<Record<keyof Person, keyof PersonRow>>

/** A field of a person that is one text. */
export type PersonField = keyof typeof personColumns

/** Every {@link PersonField}. */
export const personFields = Object.keys(personColumns) as PersonField[]

/** Reads a person out of its row. */
export function personFromRow(row: PersonRow): StoredPerson {
  const fields: Record<string, unknown> = { userId: row.id }
  for (const field of personFields) {
    const value = row[personColumns[field]]
    if (value !== null) fields[field] = value
  }
  if (row.profile_data !== null) fields.profileData = JSON.parse(row.profile_data)
  return { ...personSchema.parse(fields), userId: row.id }
}

/** The columns of the fields that a person has. */
export function columnsOf(person: Person): PersonChanges {
  const columns: PersonChanges = {}
  for (const field of personFields) {
    const value = person[field]
    if (value !== undefined) columns[personColumns[field]] = value
  }
  if (person.profileData !== undefined) columns.profile_data = JSON.stringify(person.profileData)
  return columns
}

/** The columns that follow from the others: by which a person is found, here and by the consumer app. */
export function derivedColumnsOf(row: PersonChanges) {
  return { ...personKeysOf(row), identity_key: identityKeyOf(row) }
}

/** Longest text that is its own key, in characters: an entry of an index has a limit, and a field may hold 4,096. */
const maxKeyLength = 128

/** By what a person is found: derived from its other columns, written with them, and never shown. */
type PersonKeys = Pick<PersonRow, 'custom_id_key' | 'ssn_key' | 'sort_name' | 'search_text'>

/** Derives the columns by which a person is found from all of its others. */
function personKeysOf(row: PersonChanges): PersonKeys {
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

/**
 * The identity number by which the consumer app finds a contact (specification 2.1, 5.1.5): its `ssn`, and nothing else. An
 * identifier that only looks like a number may be somebody else's number, and would show them this contact's workouts; where
 * a partner's identifiers are identity numbers its registration says so, and they come as `ssn`.
 */
export function identityKeyOf({ ssn }: PersonChanges): string | null {
  return ssn ? (normalizeIdentityNumber(ssn) ?? null) : null
}
