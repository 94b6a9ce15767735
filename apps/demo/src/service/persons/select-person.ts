import {
  comparableSsn,
  contradicts,
  hasSameName,
  normalizeIdentityNumber,
} from '@service-link/jwt-payload/receiver'
import { maxProfileEntries, type Person, type ProfileEntry } from '@service-link/protocol-core'
import { lockNames } from '../database/run-transaction.ts'
import type { Database, PersonChanges, PersonRow } from '../database/tables.ts'
import { recordIdOf } from '../http/api.ts'
import {
  changeOrigins,
  columnsOf,
  customIdRow,
  derivedColumnsOf,
  hasText,
  hasUnclaimed,
  identityKeyOf,
  isKnownAs,
  isKnownTo,
  personColumns,
  personFields,
  type Sender,
} from './person-row.ts'

type PersonChoice =
  | { readonly kind: 'selected' | 'created'; readonly id: number }
  /** Several persons fit, or the only one contradicts the data sent. Nothing was written. */
  | { readonly kind: 'choose'; readonly rows: readonly PersonRow[] }
  | { readonly kind: 'not-found' }

/** Source of a person: a partner's visit, or a wrapper's command, which names no partner. */
type Asker = Sender | { readonly organizationId: number; readonly partnerId: undefined }

/**
 * Selects or creates a person. Run it in a transaction.
 *
 * A user id above 0 decides alone. For a partner, its own CustomId decides, then the identity number, then a CustomId
 * whose partner is not known, with the same name. For a wrapper's command, the CustomId of any partner decides, then the
 * identity number. If several persons fit, or the only one contradicts the data sent, the user must choose: a guess could
 * put the wrong person in focus. The data sent fill empty fields and never overwrite one.
 */
export async function selectOrCreatePerson(
  database: Database,
  asker: Asker,
  person: Person,
): Promise<PersonChoice> {
  const found = await findMatches(database, asker, person)
  if (person.userId) return selectGiven(database, found.rows, person, asker)
  if (found.rows.length > 0 && found.isKept) return choose(database, found, person, asker)
  // Another transaction may make the same person now: wait for it, then find its person.
  await lockNames(database, identifiersOf(asker.organizationId, person))
  const foundNow = await findMatches(database, asker, person)
  if (foundNow.rows.length > 0) return choose(database, foundNow, person, asker)
  const id = await createPerson(database, asker, person)
  await keepCustomId(database, asker, person, id)
  return { kind: 'created', id }
}

async function selectGiven(
  database: Database,
  [row]: readonly PersonRow[],
  person: Person,
  asker: Asker,
): Promise<PersonChoice> {
  if (!row) return { kind: 'not-found' }
  if (!isAnotherThan(person)(row)) await fillEmptyFields(database, row, person, asker)
  return { kind: 'selected', id: row.id }
}

async function choose(
  database: Database,
  { rows, isKept }: Matches,
  person: Person,
  asker: Asker,
): Promise<PersonChoice> {
  const [only, ...others] = rows
  if (!only || others.length > 0) return { kind: 'choose', rows }
  if (!isAnotherThan(person)(only) && (await fillEmptyFields(database, only, person, asker))) {
    if (!isKept) await keepCustomId(database, asker, person, only.id)
    return { kind: 'selected', id: only.id }
  }
  const sameNumber = await findBySsn(database, asker.organizationId, person)
  return { kind: 'choose', rows: [only, ...sameNumber.filter(({ id }) => id !== only.id)] }
}

const isAnotherThan =
  (person: Person) =>
  (row: PersonRow): boolean =>
    contradicts(person, traitsOf(row))

const traitsOf = ({ firstname, lastname, ssn, date_of_birth: dateOfBirth }: PersonRow) => ({
  firstname,
  lastname,
  ssn,
  dateOfBirth,
})

async function keepCustomId(
  database: Database,
  { organizationId, partnerId }: Asker,
  { customId }: Person,
  personId: number,
): Promise<void> {
  if (partnerId === undefined || customId === undefined) return
  const row = customIdRow({ organizationId, partnerId }, customId, personId)
  await database.insertInto('person_custom_ids').values(row).execute()
}

/** Names of a person's identifiers. Of two transactions with one of them, only the first may create the person. */
function identifiersOf(organizationId: number, person: Person): string[] {
  const { customId, ssn = '' } = person
  const number = identityKeyOf(columnsOf(person)) ?? comparableSsn(ssn)
  return Object.entries({ customId, number }).flatMap(([name, value]) =>
    value === undefined ? [] : [JSON.stringify(['person', organizationId, name, value])],
  )
}

interface Matches {
  readonly rows: readonly PersonRow[]
  /** Whether nothing is to be kept: the person has the partner's CustomId, or none was sent. */
  readonly isKept: boolean
}

async function findMatches(
  database: Database,
  { organizationId, partnerId }: Asker,
  person: Person,
): Promise<Matches> {
  const { userId, customId } = person
  const inOrganization = personsOf(database, organizationId)
  const isKept = partnerId === undefined || customId === undefined
  if (userId) return { rows: await inOrganization.where('id', '=', recordIdOf(userId)).execute(), isKept }
  if (customId !== undefined) {
    const isMeant =
      partnerId === undefined
        ? isKnownAs(organizationId, customId)
        : isKnownTo({ organizationId, partnerId }, customId)
    const rows = await inOrganization.where(isMeant).execute()
    if (rows.length > 0) return { rows, isKept: true }
  }
  const rows = await findBySsn(database, organizationId, person)
  if (rows.length > 0 || isKept) return { rows, isKept }
  const unclaimed = await inOrganization.where(hasUnclaimed(customId)).execute()
  return { rows: unclaimed.filter(row => hasSameName(person, row)), isKept }
}

/** Finds persons by the identity number, as the consumer app compares it. Text that cannot be a number must be equal. */
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

async function createPerson(database: Database, asker: Asker, person: Person): Promise<number> {
  const columns = columnsOf(person)
  const now = new Date().toISOString()
  const { id } = await database
    .insertInto('persons')
    .values({
      ...columns,
      organization_id: asker.organizationId,
      origins: changeOrigins({}, columns, asker),
      ...derivedColumnsOf(columns),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Writes the data sent into the empty fields; `false` if the row was filled meanwhile and contradicts the person now.
 */
async function fillEmptyFields(
  database: Database,
  row: PersonRow,
  person: Person,
  asker: Asker,
): Promise<boolean> {
  const isAnother = isAnotherThan(person)
  if (!findChanges(row, person)) return true
  // The first write locks the row, so that two transactions that fill it see each other's fields.
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
    .set({
      ...changes,
      origins: changeOrigins(held, changes, asker),
      ...derivedColumnsOf({ ...held, ...changes }),
    })
    .where('id', '=', row.id)
    .execute()
  return true
}

/** The empty columns and their new values; `undefined` if nothing changes. */
function findChanges(row: PersonRow, person: Person): PersonChanges | undefined {
  const sent = columnsOf(person)
  const changes: PersonChanges = {}
  for (const field of personFields) {
    const column = personColumns[field]
    if (row[column] === null && sent[column]) changes[column] = sent[column]
  }
  // A kept gender stays the only one, in either of its two columns.
  if (row.gender !== null || row.gender_as_sent !== null) {
    delete changes.gender
    delete changes.gender_as_sent
  }
  const profileData = mergeProfileData(row.profile_data, person.profileData)
  if (profileData !== row.profile_data) changes.profile_data = profileData
  return Object.keys(changes).length === 0 ? undefined : changes
}

/** Adds the missing entries. The newest stay if there are too many. */
function mergeProfileData(kept: string | null, sent: readonly ProfileEntry[] | undefined): string | null {
  if (!sent || sent.length === 0) return kept
  const entries: unknown[] = kept === null ? [] : JSON.parse(kept)
  const known = new Set(entries.map(entry => JSON.stringify(entry)))
  const added = sent.filter(entry => !known.has(JSON.stringify(entry)))
  return added.length === 0 ? kept : JSON.stringify([...entries, ...added].slice(-maxProfileEntries))
}
