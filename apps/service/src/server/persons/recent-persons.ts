import { sql } from 'kysely'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import type { Employee } from '../http/api.ts'
import { listedColumns } from './person-row.ts'

/** How many persons an employee's list begins with. */
const maxRecent = 5

/**
 * Lists the persons that an employee worked with last, the newest first. The service keeps them, not the browser: each visit
 * from a journal may open another tab.
 *
 * @param personId whom the employee works with now; ignored if the organization has no such person
 */
export async function recentPersons(
  database: Database,
  { accountId, organizationId }: Employee,
  personId: number | undefined,
) {
  if (personId !== undefined)
    await runTransaction(database, transaction => note(transaction, accountId, organizationId, personId), {
      isRepeatable: true,
    })
  return database
    .selectFrom('recent_persons')
    .innerJoin('persons', 'persons.id', 'recent_persons.person_id')
    .where('account_id', '=', accountId)
    .where('organization_id', '=', organizationId)
    .select(listedColumns)
    .orderBy('at', 'desc')
    .orderBy('person_id', 'desc')
    .limit(maxRecent)
    .execute()
}

/** A parameter whose type PostgreSQL cannot tell. */
const text = (value: string) => sql<string>`cast(${value} as text)`

async function note(database: Database, accountId: string, organizationId: number, personId: number) {
  const at = new Date().toISOString()
  const person = database
    .selectFrom('persons')
    .where('id', '=', personId)
    .where('organization_id', '=', organizationId)
    .select([text(accountId).as('account_id'), 'id as person_id', text(at).as('at')])
  await database
    .insertInto('recent_persons')
    .columns(['account_id', 'person_id', 'at'])
    .expression(person)
    .onConflict(conflict => conflict.columns(['account_id', 'person_id']).doUpdateSet({ at }))
    .execute()
  const kept = database
    .selectFrom('recent_persons')
    .where('account_id', '=', accountId)
    .select('person_id')
    .orderBy('at', 'desc')
    .orderBy('person_id', 'desc')
    .limit(maxRecent)
  await database
    .deleteFrom('recent_persons')
    .where('account_id', '=', accountId)
    .where('person_id', 'not in', kept)
    .execute()
}
