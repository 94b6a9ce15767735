import { comparableSsn, maxProfileEntries, type Person, type ProfileEntry } from '@service-link/protocol-core'
import {
  type ContactFacts,
  type ContactMatch,
  findContradictions,
  matchContact,
} from '@service-link/receiver'
import { lockNames } from '../database/run-transaction.ts'
import type { Database, PersonChanges, PersonRow } from '../database/tables.ts'
import { recordIdOf } from '../http/api.ts'
import {
  changeOrigins,
  columnsOf,
  customIdDigest,
  customIdRow,
  derivedColumnsOf,
  mayBe,
  personColumns,
  personFields,
  type programWays,
  type Sender,
  type Writer,
} from './person-row.ts'

type PersonChoice =
  | { readonly kind: 'selected' | 'created'; readonly id: number }
  | Choice
  | { readonly kind: 'not-found' }

/** Several persons fit, or the only one contradicts the data sent. Nothing was written. */
type Choice = Extract<ContactMatch, { kind: 'choose' }>

/** Source of a person: a partner's visit, or a wrapper's command, which names no partner. */
type Asker =
  | Sender
  | {
      readonly organizationId: number
      readonly partnerId: undefined
      readonly by: (typeof programWays)[number]
    }

const writerOf = (asker: Asker): Writer =>
  asker.partnerId === undefined ? { by: asker.by } : { by: 'link', partnerId: asker.partnerId }

/**
 * Selects or creates a person. Run it in a transaction.
 *
 * A user id above 0 decides alone. Else `matchContact` decides, as for every contact book. If the user must choose, nothing is
 * written: a guess could put the wrong person in focus. The data sent fill empty fields and never overwrite one.
 */
export async function selectOrCreatePerson(
  database: Database,
  asker: Asker,
  person: Person,
): Promise<PersonChoice> {
  if (person.userId) return selectGiven(database, person, asker)
  const found = await match(database, asker, person)
  const isKnown = found.kind === 'selected' && !found.isNewId
  if (found.kind === 'choose' || isKnown) return take(database, found, person, asker)
  // Another transaction may make the same person now: wait for it, then find its person.
  await lockNames(database, identifiersOf(asker.organizationId, person))
  return take(database, await match(database, asker, person), person, asker)
}

async function selectGiven(database: Database, person: Person, asker: Asker): Promise<PersonChoice> {
  const row = await database
    .selectFrom('persons')
    .selectAll()
    .where('organization_id', '=', asker.organizationId)
    .where('id', '=', recordIdOf(person.userId ?? 0))
    .executeTakeFirst()
  if (!row) return { kind: 'not-found' }
  if (findContradictions(person, factsOf(row)).length === 0)
    await fillEmptyFields(database, row, person, asker)
  return { kind: 'selected', id: row.id }
}

type Match =
  | { readonly kind: 'selected'; readonly row: PersonRow; readonly isNewId: boolean }
  | Choice
  | { readonly kind: 'created' }

/** Decides whom a person is, among those with its CustomId or identity number. */
async function match(
  database: Database,
  { organizationId, partnerId }: Asker,
  person: Person,
): Promise<Match> {
  const { customId } = person
  // The condition names the organization. Named twice, it would lead the embedded database past the ids.
  const rows = await database
    .selectFrom('persons')
    .selectAll()
    .where(mayBe(organizationId, person))
    .orderBy('id')
    .limit(100)
    .execute()
  const ids =
    customId === undefined || rows.length === 0
      ? []
      : await database
          .selectFrom('person_custom_ids')
          .select(['person_id as id', 'partner_id as partnerId'])
          .where('organization_id', '=', organizationId)
          .where('custom_id_digest', '=', customIdDigest(customId))
          .execute()
  return decide(person, partnerId, rows, ids)
}

/** Decides by the rules of every contact book. `ids`: the partners that have the CustomId sent for one of the rows. */
function decide(
  person: Person,
  partnerId: string | undefined,
  rows: readonly PersonRow[],
  ids: readonly { readonly id: number; readonly partnerId: string }[],
): Match {
  const { customId = '' } = person
  const contacts = rows.map(row => ({
    row,
    person: factsOf(row),
    customIds: ids.filter(({ id }) => id === row.id).map(known => ({ partnerId: known.partnerId, customId })),
  }))
  const decision = matchContact(person, partnerId, contacts)
  switch (decision.kind) {
    case 'choose':
      return choiceOf(person, decision.contacts)
    case 'selected': {
      const { known, customIds } = decision
      return { kind: 'selected', row: known.row, isNewId: customIds.length > known.customIds.length }
    }
    case 'created':
      return decision
  }
}

/** Whether a row that has the partner's CustomId is the person sent, and nothing is to be written to it. */
export function isKept(row: PersonRow, person: Person, partnerId: string): boolean {
  const { kind } = decide(person, partnerId, [row], [{ id: row.id, partnerId }])
  return kind === 'selected' && !findChanges(row, person)
}

async function take(database: Database, found: Match, person: Person, asker: Asker): Promise<PersonChoice> {
  if (found.kind === 'choose') return found
  if (found.kind === 'created') {
    const id = await createPerson(database, asker, person)
    await keepCustomId(database, asker, person, id)
    return { kind: 'created', id }
  }
  const { row, isNewId } = found
  const other = await fillEmptyFields(database, row, person, asker)
  if (other) return choiceOf(person, [{ row: other, customIds: [] }])
  if (isNewId) await keepCustomId(database, asker, person, row.id)
  return { kind: 'selected', id: row.id }
}

/** `customIds`: the row's ids that are the one sent; the row itself shows one id alone. */
function choiceOf(
  person: Person,
  contacts: readonly { readonly row: PersonRow; readonly customIds: readonly object[] }[],
): Choice {
  const { customId, firstname, middlename, lastname, dateOfBirth, ssn } = person
  const sent = { customId, firstname, middlename, lastname, dateOfBirth, ssn }
  const candidates = contacts.map(({ row, customIds }) => ({
    contactId: String(row.id),
    ...factsOf(row),
    ...(customIds.length > 0 && { customId }),
    contradictions: findContradictions(person, factsOf(row)),
  }))
  return { kind: 'choose', sent, candidates }
}

const factsOf = ({
  custom_id,
  firstname,
  middlename,
  lastname,
  ssn,
  date_of_birth,
}: PersonRow): ContactFacts => ({
  ...(custom_id !== null && { customId: custom_id }),
  ...(firstname !== null && { firstname }),
  ...(middlename !== null && { middlename }),
  ...(lastname !== null && { lastname }),
  ...(ssn !== null && { ssn }),
  ...(date_of_birth !== null && { dateOfBirth: date_of_birth }),
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
  const number = comparableSsn(ssn)
  return Object.entries({ customId, number }).flatMap(([name, value]) =>
    value === undefined ? [] : [JSON.stringify(['person', organizationId, name, value])],
  )
}

async function createPerson(database: Database, asker: Asker, person: Person): Promise<number> {
  const columns = columnsOf(person)
  const now = new Date().toISOString()
  const { id } = await database
    .insertInto('persons')
    .values({
      ...columns,
      organization_id: asker.organizationId,
      origins: changeOrigins({}, columns, writerOf(asker)),
      ...derivedColumnsOf(columns),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes the data sent into the empty fields. Returns the row if it was filled meanwhile and contradicts the person now. */
async function fillEmptyFields(
  database: Database,
  row: PersonRow,
  person: Person,
  asker: Asker,
): Promise<PersonRow | undefined> {
  if (!findChanges(row, person)) return undefined
  // The first write locks the row, so that two transactions that fill it see each other's fields.
  const held = await database
    .updateTable('persons')
    .set({ updated_at: new Date().toISOString() })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirst()
  if (held && findContradictions(person, factsOf(held)).length > 0) return held
  const changes = held && findChanges(held, person)
  if (!changes) return undefined
  await database
    .updateTable('persons')
    .set({
      ...changes,
      origins: changeOrigins(held, changes, writerOf(asker)),
      ...derivedColumnsOf({ ...held, ...changes }),
    })
    .where('id', '=', row.id)
    .execute()
  return undefined
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
