import { comparableSsn, contradicts, normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
import { maxProfileEntries, type Person, type ProfileEntry } from '@service-link/protocol-core'
import { lockNames } from '../database/lock-names.ts'
import type { Database, PersonChanges, PersonRow } from '../database/tables.ts'
import { hasText } from './has-text.ts'
import { identityKeyOf } from './identity-key.ts'
import { columnsOf, derivedColumnsOf, personColumns, personFields } from './person-row.ts'

/** What became of a person that a partner put in focus. */
export type PersonChoice =
  | { readonly kind: 'selected' | 'created'; readonly id: number }
  /** Several persons fit and nothing tells them apart, or the only one contradicts what was sent; nothing was written. */
  | { readonly kind: 'choose'; readonly rows: readonly PersonRow[] }
  /** There is no person of the user id that was given. */
  | { readonly kind: 'not-found' }

/** Options of {@link selectOrCreatePerson}. */
export interface SelectPersonOptions {
  /**
   * What becomes of the only person found when it has another identity number or date of birth than was sent: the user must
   * choose, or its identifier decides all the same (specification 3: `selectperson` selects by CustomId).
   */
  readonly whenContradicted: 'choose' | 'select'
}

/**
 * Selects the person that a partner means, or creates it. To be run in a transaction.
 *
 * A user id above 0 decides alone. Else the CustomId decides, then the identity number. Where several persons have it,
 * the user must choose: a guess could put the wrong person in focus. The data sent fill fields that are empty and never
 * overwrite one.
 */
export async function selectOrCreatePerson(
  database: Database,
  organizationId: number,
  person: Person,
  options: SelectPersonOptions,
): Promise<PersonChoice> {
  const found = await findMatches(database, organizationId, person)
  if (found.length > 0) return choose(database, found, person, options)
  if (person.userId) return { kind: 'not-found' }
  // Whoever makes the same person at the same moment is waited for, and what it made is found.
  await lockNames(database, identifiersOf(organizationId, person))
  const foundNow = await findMatches(database, organizationId, person)
  if (foundNow.length > 0) return choose(database, foundNow, person, options)
  return { kind: 'created', id: await createPerson(database, organizationId, person) }
}

async function choose(
  database: Database,
  found: readonly PersonRow[],
  person: Person,
  { whenContradicted }: SelectPersonOptions,
): Promise<PersonChoice> {
  const [only, ...others] = found
  if (!only || others.length > 0) return { kind: 'choose', rows: found }
  const isAnother = (row: PersonRow) => whenContradicted === 'choose' && contradicts(person, traitsOf(row))
  if (!isAnother(only) && (await fillEmptyFields(database, only, person, isAnother)))
    return { kind: 'selected', id: only.id }
  const sameNumber = await findBySsn(database, only.organization_id, person)
  return { kind: 'choose', rows: [only, ...sameNumber.filter(({ id }) => id !== only.id)] }
}

const traitsOf = ({ ssn, date_of_birth: dateOfBirth }: PersonRow) => ({ ssn, dateOfBirth })

/** What a person is found by: of two who share one of these only the first may be made. */
function identifiersOf(organizationId: number, person: Person): string[] {
  const { customId, ssn = '' } = person
  const number = identityKeyOf(columnsOf(person)) ?? comparableSsn(ssn)
  return Object.entries({ customId, number }).flatMap(([name, value]) =>
    value === undefined ? [] : [JSON.stringify(['person', organizationId, name, value])],
  )
}

async function findMatches(database: Database, organizationId: number, person: Person): Promise<PersonRow[]> {
  const inOrganization = personsOf(database, organizationId)
  if (person.userId) return inOrganization.where('id', '=', person.userId).execute()
  if (person.customId !== undefined) {
    const byCustomId = await inOrganization.where(hasText('custom_id', person.customId)).execute()
    if (byCustomId.length > 0) return byCustomId
  }
  return findBySsn(database, organizationId, person)
}

/** By the identity number as the consumer app compares it; a text that cannot be one finds its very same. */
async function findBySsn(
  database: Database,
  organizationId: number,
  { ssn = '' }: Person,
): Promise<PersonRow[]> {
  if (comparableSsn(ssn) === undefined) return []
  const number = normalizeIdentityNumber(ssn)
  const inOrganization = personsOf(database, organizationId)
  return number === undefined
    ? inOrganization.where(hasText('ssn', ssn)).execute()
    : inOrganization.where('identity_key', '=', number).execute()
}

function personsOf(database: Database, organizationId: number) {
  return database
    .selectFrom('persons')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(100)
}

/** Writes a new person. */
export async function createPerson(
  database: Database,
  organizationId: number,
  person: Person,
): Promise<number> {
  const columns = columnsOf(person)
  const now = new Date().toISOString()
  const { id } = await database
    .insertInto('persons')
    .values({
      ...columns,
      organization_id: organizationId,
      ...derivedColumnsOf(columns),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Writes what is sent into the fields that are empty.
 *
 * @returns `false` when the row was filled meanwhile with what makes it another person; nothing was written
 */
async function fillEmptyFields(
  database: Database,
  row: PersonRow,
  person: Person,
  isAnother: (row: PersonRow) => boolean,
): Promise<boolean> {
  if (!findChanges(row, person)) return true
  // The first write holds the row, so that two who fill it at once see each other's fields.
  const held = await database
    .updateTable('persons')
    .set({ updated_at: new Date().toISOString() })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirst()
  if (held && isAnother(held)) return false
  const changes = held && findChanges(held, person)
  if (!changes) return true
  await database
    .updateTable('persons')
    .set({ ...changes, ...derivedColumnsOf({ ...held, ...changes }) })
    .where('id', '=', row.id)
    .execute()
  return true
}

/** The columns that are empty and would be filled; `undefined` when there are none. */
function findChanges(row: PersonRow, person: Person): PersonChanges | undefined {
  const sent = columnsOf(person)
  const changes: PersonChanges = {}
  for (const field of personFields) {
    const column = personColumns[field]
    if (row[column] === null && sent[column]) changes[column] = sent[column]
  }
  // A gender that somebody wrote stays the only one, whichever of its two columns it is in.
  if (row.gender !== null || row.gender_as_sent !== null) {
    delete changes.gender
    delete changes.gender_as_sent
  }
  const profileData = mergeProfileData(row.profile_data, person.profileData)
  if (profileData !== row.profile_data) changes.profile_data = profileData
  return Object.keys(changes).length === 0 ? undefined : changes
}

/** Adds the entries that are not there yet; the newest stay when there are too many. */
function mergeProfileData(kept: string | null, sent: readonly ProfileEntry[] | undefined): string | null {
  if (!sent || sent.length === 0) return kept
  const entries: unknown[] = kept === null ? [] : JSON.parse(kept)
  const known = new Set(entries.map(entry => JSON.stringify(entry)))
  const added = sent.filter(entry => !known.has(JSON.stringify(entry)))
  return added.length === 0 ? kept : JSON.stringify([...entries, ...added].slice(-maxProfileEntries))
}
