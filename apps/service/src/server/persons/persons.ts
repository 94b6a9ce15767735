import { optionalId, optionalText, personSchema, requiredId } from '@service-link/protocol-core'
import { type Context, Hono } from 'hono'
import { sql } from 'kysely'
import * as z from 'zod'
import type { TextSearch } from '../database/dialect.ts'
import { searchWords } from '../database/dialect.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import {
  type AppEnv,
  addressQuery,
  jsonBody,
  maxCounted,
  type Page,
  pageSchema,
  readId,
  recordId,
} from '../http/api.ts'
import { ApiError } from '../http/api-error.ts'
import { isKnownAs, listedColumns, personFromRow, programWays } from './person-row.ts'
import { recentPersons } from './recent-persons.ts'
import { selectOrCreatePerson } from './select-person.ts'
import { editPerson, editSchema, updatePerson } from './update-person.ts'

interface PersonFilter {
  /** Persons with words that begin with every word of it. */
  readonly text?: string | undefined
  readonly customId?: string | undefined
  readonly ids?: readonly number[] | undefined
}

function personsOf(
  database: Database,
  search: TextSearch,
  organizationId: number,
  { text, customId, ids }: PersonFilter,
) {
  const words = searchWords(text ?? '')
  // No person has the id 0: PostgreSQL takes no empty list.
  return database
    .selectFrom('persons')
    .where('organization_id', '=', organizationId)
    .$if(customId !== undefined, query => query.where(isKnownAs(organizationId, customId ?? '')))
    .$if(ids !== undefined, query => query.where('id', 'in', [0, ...(ids ?? [])]))
    .$if(words.length > 0, query => query.where(search.personMatches(organizationId, words)))
}

/** Lists persons of one organization, by name. */
export async function listPersons(
  database: Database,
  search: TextSearch,
  organizationId: number,
  filter: PersonFilter & Partial<Page>,
) {
  const { offset = 0, limit = 200 } = filter
  // An expression, so that PostgreSQL sorts what it found instead of reading all persons by name.
  const byName = searchWords(filter.text ?? '').length > 0 ? sql`sort_name || ''` : sql.ref('sort_name')
  return personsOf(database, search, organizationId, filter)
    .select(listedColumns)
    .orderBy(byName)
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Counts persons, but no further than `maxCounted` and one more than the page: all of them take too long. */
export async function countPersons(
  database: Database,
  search: TextSearch,
  organizationId: number,
  filter: PersonFilter & Page,
): Promise<number> {
  const most = Math.max(maxCounted, filter.offset + filter.limit) + 1
  const { total } = await database
    .selectFrom(personsOf(database, search, organizationId, filter).select('id').limit(most).as('counted'))
    .select(sql<number>`cast(count(*) as integer)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Finds a person with the names of those who filled its fields: a partner or an employee; `null` for a wrapper's program. */
export type PersonReader = ReturnType<typeof personReader>

export function personReader(database: Database, nameOf: (partnerId: string) => string | undefined) {
  return async (organizationId: number, id: number) => {
    const found = await findPerson(database, organizationId, id)
    if (!found) return undefined
    const { origins, ...person } = found
    const named = Object.entries(origins).map(([field, origin]) => {
      const { by, at } = origin
      const from =
        by === 'link' ? (nameOf(origin.partnerId) ?? origin.partnerId) : by === 'typed' ? origin.name : null
      return [field, { by, from, at }] as const
    })
    return { ...person, origins: Object.fromEntries(named) }
  }
}

export async function findPerson(database: Database, organizationId: number, id: number) {
  const row = await database
    .selectFrom('persons')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && personFromRow(row)
}

const searchSchema = z.object({
  text: optionalText,
  customId: optionalId,
  ...pageSchema.shape,
})

/** How the wrapper got its command. */
const byProgram = addressQuery(z.object({ by: z.enum(programWays).default('program') }))

const noPerson = () => new ApiError('ERR_NOT_FOUND', 'There is no such person in this organization.')

/**
 * Persons of the signed-in employee's organization. Searches are posted, so that no name or identity number is ever
 * part of an address.
 */
export function personRoutes(
  { database, search }: Pick<OpenDatabase, 'database' | 'search'>,
  readPerson: PersonReader,
) {
  const present = async (c: Context<AppEnv>, id: number) => {
    const person = await readPerson(c.get('employee').organizationId, id)
    if (!person) throw noPerson()
    return person
  }
  return (
    new Hono<AppEnv>()
      .post('/persons/search', jsonBody(searchSchema), async c => {
        const { organizationId } = c.get('employee')
        const filter = c.req.valid('json')
        const total = await countPersons(database, search, organizationId, filter)
        return c.json({ total, persons: await listPersons(database, search, organizationId, filter) })
      })
      .post('/persons/recent', jsonBody(z.object({ personId: recordId.optional() })), async c => {
        const { personId } = c.req.valid('json')
        return c.json({ persons: await recentPersons(database, c.get('employee'), personId) })
      })
      // One statement, so that a wrapper's list has each person once while others are added.
      .post('/persons/all', jsonBody(z.object({ customId: optionalId })), async c => {
        const users = await personsOf(database, search, c.get('employee').organizationId, c.req.valid('json'))
          .select(['id', 'custom_id as customId', 'firstname', 'lastname', 'email'])
          .select('date_of_birth as dateOfBirth')
          .orderBy('sort_name')
          .orderBy('id')
          .execute()
        return c.json({ users })
      })
      .post('/persons/select', byProgram, jsonBody(personSchema), async c => {
        const asker = {
          organizationId: c.get('employee').organizationId,
          partnerId: undefined,
          ...c.req.valid('query'),
        }
        const sent = c.req.valid('json')
        const choice = await runTransaction(
          database,
          transaction => selectOrCreatePerson(transaction, asker, sent),
          { isRepeatable: true },
        )
        if (choice.kind === 'not-found') throw noPerson()
        // A choice is no error: a problem document holds no person's data.
        return c.json(
          choice.kind === 'choose'
            ? choice
            : {
                status: choice.kind,
                person: await present(c, choice.id),
              },
        )
      })
      .get('/persons/:id', async c => {
        return c.json({ person: await present(c, readId(c)) })
      })
      .patch('/persons/:id', jsonBody(editSchema), async c => {
        const { organizationId, name } = c.get('employee')
        const edit = c.req.valid('json')
        await runTransaction(
          database,
          transaction => editPerson(transaction, organizationId, readId(c), edit, { by: 'typed', name }),
          { isRepeatable: true },
        )
        return c.json({ person: await present(c, readId(c)) })
      })
      .put('/persons/:id/custom-id', byProgram, jsonBody(z.object({ customId: requiredId })), async c => {
        const { organizationId } = c.get('employee')
        const change = c.req.valid('json')
        await runTransaction(
          database,
          transaction => updatePerson(transaction, organizationId, readId(c), change, c.req.valid('query')),
          { isRepeatable: true },
        )
        return c.json({ person: await present(c, readId(c)) })
      })
  )
}
