import type { TextSearch } from '../database/dialect.ts'
import { searchWords } from '../database/search-words.ts'
import type { Database, PersonChanges } from '../database/tables.ts'
import { isKnownAs } from './person-identifiers.ts'
import {
  derivedColumnsOf,
  type PersonField,
  personColumns,
  personFields,
  personFromRow,
  type StoredPerson,
} from './person-row.ts'

/** Most persons that one list holds. */
const maxListedPersons = 500

/** Which persons to list. */
/** Lists persons of one organization, by name: those whose words begin with every word of the text. */
export async function listPersons(
  database: Database,
  search: TextSearch,
  organizationId: number,
  {
    text,
    customId,
    ids,
  }: {
    readonly text?: string | undefined
    readonly customId?: string | undefined
    readonly ids?: readonly number[] | undefined
  },
): Promise<StoredPerson[]> {
  let query = database
    .selectFrom('persons')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('sort_name')
    .orderBy('id')
    .limit(maxListedPersons)
  if (customId !== undefined) query = query.where(isKnownAs(organizationId, customId))
  if (ids !== undefined) query = query.where('id', 'in', ids)
  const words = searchWords(text ?? '')
  if (words.length > 0) query = query.where(search.personMatches(organizationId, words))
  return (await query.execute()).map(personFromRow).sort(byName)
}

const collator = new Intl.Collator()

function byName(a: StoredPerson, b: StoredPerson): number {
  return (
    collator.compare(a.lastname ?? '', b.lastname ?? '') ||
    collator.compare(a.firstname ?? '', b.firstname ?? '')
  )
}

/** Finds one person of an organization. */
export async function findPerson(
  database: Database,
  organizationId: number,
  id: number,
): Promise<StoredPerson | undefined> {
  const row = await database
    .selectFrom('persons')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && personFromRow(row)
}

/** Fields to write; `null` empties one. */
type PersonUpdate = { readonly [Field in PersonField]?: string | null | undefined }

/**
 * Writes what an employee typed, over whatever was there. To be run in a transaction.
 *
 * @returns `undefined` when the organization has no such person
 */
export async function updatePerson(
  database: Database,
  organizationId: number,
  id: number,
  update: PersonUpdate,
): Promise<StoredPerson | undefined> {
  const changes: PersonChanges = {}
  for (const field of personFields)
    if (update[field] !== undefined) changes[personColumns[field]] = update[field]
  const row = await database
    .updateTable('persons')
    .set({ ...changes, updated_at: new Date().toISOString() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  await database.updateTable('persons').set(derivedColumnsOf(row)).where('id', '=', id).execute()
  return personFromRow(row)
}
