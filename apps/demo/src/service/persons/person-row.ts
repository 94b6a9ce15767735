import { type Person, personSchema } from '@service-link/protocol-core'
import type { PersonChanges, PersonRow } from '../database/tables.ts'
import { identityKeyOf } from './identity-key.ts'
import { personKeysOf } from './person-keys.ts'

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
