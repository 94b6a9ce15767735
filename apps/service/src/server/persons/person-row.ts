import { createHash } from 'node:crypto'
import {
  comparableSsn,
  normalizeIdentityNumber,
  type Person,
  personSchema,
} from '@service-link/protocol-core'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import * as z from 'zod'
import { allWords } from '../database/dialect.ts'
import type { Database, PersonChanges, PersonRow, Tables } from '../database/tables.ts'
import { sortKeyOf } from './sort-key.ts'

/** A person that the service keeps: it has a service user id. */
type StoredPerson = Person & { readonly userId: number; readonly origins: FieldOrigins }

/** The column of each field of a person, but for profile data and the user id. */
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

export const personFields = Object.keys(personColumns) as PersonField[]

/** What a list shows. A CustomId may be an identity number. */
export const listedColumns = [
  'persons.id as userId',
  'firstname',
  'middlename',
  'lastname',
  'date_of_birth as dateOfBirth',
] as const

/** How a wrapper got what it sends: by the pipe, from a file or from arguments; `program`: it does not say. */
export const programWays = ['pipe', 'file', 'arguments', 'program'] as const

/** Who wrote a field: a partner's link, a wrapper's command, or an employee who typed it. */
const writerSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('link'), partnerId: z.string() }),
  z.object({ by: z.literal('typed'), name: z.string() }),
  z.object({ by: z.enum(programWays) }),
])

export type Writer = z.output<typeof writerSchema>

/** Where fields came from, and when. Profile data have the origin of their newest entries. */
const originsSchema = z.partialRecord(
  z.enum([...personFields, 'profileData']),
  writerSchema.and(z.object({ at: z.string() })),
)

type FieldOrigins = z.output<typeof originsSchema>

const originsOf = ({ origins }: Pick<PersonChanges, 'origins'>): FieldOrigins =>
  originsSchema.parse(JSON.parse(origins ?? '{}'))

/** The column `origins` after fields were written. An emptied field has none. */
export function changeOrigins(
  row: Pick<PersonChanges, 'origins'>,
  { profile_data: profileData, ...changes }: PersonChanges,
  writer: Writer,
): string {
  const origins = originsOf(row)
  const origin = { ...writer, at: new Date().toISOString() }
  for (const field of personFields) {
    const value = changes[personColumns[field]]
    if (value === null) delete origins[field]
    else if (value !== undefined) origins[field] = origin
  }
  if (profileData !== undefined) origins.profileData = origin
  return JSON.stringify(origins)
}

export function personFromRow(row: PersonRow): StoredPerson {
  const fields: Record<string, unknown> = { userId: row.id }
  for (const field of personFields) {
    const value = row[personColumns[field]]
    if (value !== null) fields[field] = value
  }
  if (row.profile_data !== null) fields.profileData = JSON.parse(row.profile_data)
  return { ...personSchema.parse(fields), userId: row.id, origins: originsOf(row) }
}

export function columnsOf(person: Person): PersonChanges {
  const columns: PersonChanges = {}
  for (const field of personFields) {
    const value = person[field]
    if (value !== undefined) columns[personColumns[field]] = value
  }
  if (person.profileData !== undefined) columns.profile_data = JSON.stringify(person.profileData)
  return columns
}

export function derivedColumnsOf(row: PersonChanges) {
  return { ...personKeysOf(row), identity_key: identityKeyOf(row) }
}

/** Longest text that is its own key, in characters: an entry of an index has a limit, and a field may hold 4,096. */
const maxKeyLength = 128

/** The columns that find a person: derived from its other columns, written with them, and never shown. */
type PersonKeys = Pick<PersonRow, 'custom_id_key' | 'ssn_key' | 'sort_name' | 'search_text'>

function personKeysOf(row: PersonChanges): PersonKeys {
  const { firstname, middlename, lastname, custom_id, ssn, date_of_birth, email, mobile } = row
  // A date is one word, and its parts are further ones, for a date that is not typed to the end.
  const dateParts = date_of_birth?.replaceAll('-', ' ')
  const searched = [firstname, middlename, lastname, custom_id, date_of_birth, dateParts, email, mobile]
  return {
    custom_id_key: custom_id ? textKey(custom_id) : null,
    ssn_key: ssn ? textKey(ssn) : null,
    sort_name: sortKeyOf(row).slice(0, maxKeyLength),
    search_text: allWords(searched.filter(Boolean).join(' ')).join(' '),
  }
}

/** The key of a text in an index: the text itself, or the digest of a long one. A search compares the text as well. */
function textKey(text: string): string {
  return text.length <= maxKeyLength ? text : createHash('sha256').update(text).digest('base64url')
}

/**
 * The identity number by which the consumer app finds a contact (specification 2.1, 5.1.5): its `ssn`, and nothing
 * else. Another identifier may look like the number of somebody else, who would then see this contact's workouts. If
 * a partner's identifiers are identity numbers, its registration says so, and they come as `ssn`.
 */
export function identityKeyOf({ ssn }: PersonChanges): string | null {
  return ssn ? (normalizeIdentityNumber(ssn) ?? null) : null
}

export interface Sender {
  readonly organizationId: number
  readonly partnerId: string
}

type PersonCondition = (
  where: ExpressionBuilder<Tables, 'persons'>,
) => ExpressionWrapper<Tables, 'persons', SqlBool>

/** The condition that a person of the organization has this CustomId from any source. */
export function isKnownAs(organizationId: number, customId: string): PersonCondition {
  return where => where('persons.id', 'in', idsByCustomId(where, organizationId, customId))
}

/**
 * The condition that a person of the organization may be the one that is sent: by CustomId from any source, or by identity number.
 * Text that cannot be a number must be equal. One union, so that each database uses an index for each part.
 */
export function mayBe(organizationId: number, { customId, ssn = '' }: Person): PersonCondition {
  const number = normalizeIdentityNumber(ssn)
  const text = number ?? comparableSsn(ssn)
  return where => {
    const numbered = where
      .selectFrom('persons as numbered')
      .select('numbered.id')
      .where('numbered.organization_id', '=', organizationId)
    const byNumber =
      number === undefined
        ? numbered.where('numbered.ssn_key', '=', textKey(ssn)).where('numbered.ssn', '=', ssn)
        : numbered.where('numbered.identity_key', '=', number)
    if (customId === undefined)
      return text === undefined ? where.lit(false) : where('persons.id', 'in', byNumber)
    const byCustomId = idsByCustomId(where, organizationId, customId)
    return where('persons.id', 'in', text === undefined ? byCustomId : byCustomId.union(byNumber))
  }
}

function idsByCustomId(
  where: ExpressionBuilder<Tables, 'persons'>,
  organizationId: number,
  customId: string,
) {
  return where
    .selectFrom('persons as named')
    .select('named.id')
    .where('named.organization_id', '=', organizationId)
    .where('named.custom_id_key', '=', textKey(customId))
    .where('named.custom_id', '=', customId)
    .union(
      where
        .selectFrom('person_custom_ids')
        .select('person_id as id')
        .where('organization_id', '=', organizationId)
        .where('custom_id_digest', '=', customIdDigest(customId)),
    )
}

export function customIdRow(
  { organizationId, partnerId }: Sender,
  customId: string,
  personId: number,
): Tables['person_custom_ids'] {
  return {
    organization_id: organizationId,
    partner_id: partnerId,
    custom_id_digest: customIdDigest(customId),
    person_id: personId,
  }
}

/** Deletes all partners' CustomIds of a person: an employee has corrected it. Run it in a transaction. */
export async function forgetCustomIds(database: Database, personId: number): Promise<void> {
  await database.deleteFrom('person_custom_ids').where('person_id', '=', personId).execute()
}

export const customIdDigest = (customId: string): string =>
  createHash('sha256').update(customId).digest('base64url')
