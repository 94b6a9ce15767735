import type { Person } from '@service-link/protocol-core'
import type { DemoAccount } from './auth/demo-accounts.ts'
import { findOrCreateOrganization } from './auth/organizations.ts'
import type { TextSearch } from './database/dialect.ts'
import { lockNames, runTransaction, startMs } from './database/run-transaction.ts'
import type { Database } from './database/tables.ts'
import { selectOrCreatePerson } from './persons/select-person.ts'
import { giveWorkout } from './workouts/workout-store.ts'

export interface DemoPerson extends Person {
  /** The library's workout that the person has from the start: its `slug`. */
  readonly workout?: string | undefined
}

/**
 * Makes the missing persons of an account's organization in one transaction. Persons whose data an employee has changed stay as
 * they are. A new person gets its workout from the account's user.
 */
export async function seedPersons(
  database: Database,
  search: TextSearch,
  account: DemoAccount,
  persons: readonly DemoPerson[],
): Promise<void> {
  const fill = async (transaction: Database) => {
    await lockNames(transaction, ['accounts'])
    const organizationId = await findOrCreateOrganization(transaction, account.organization)
    for (const { workout, ...person } of persons) {
      const asker = { organizationId, partnerId: undefined }
      const chosen = await selectOrCreatePerson(transaction, asker, person)
      if (workout === undefined || chosen.kind !== 'created') continue
      const { id: workoutId } = await transaction
        .selectFrom('workouts')
        .select('id')
        .where('slug', '=', workout)
        .executeTakeFirstOrThrow()
      const { id: accountId } = await transaction
        .selectFrom('auth_users')
        .select('id')
        .where('email', '=', account.email)
        .executeTakeFirstOrThrow()
      const owner = { accountId, name: account.name }
      const gift = { owner, workoutId, personId: chosen.id, key: `seed ${chosen.id}`, isAgain: false }
      await giveWorkout(transaction, search, { organizationId, ...gift })
    }
  }
  if (persons.length > 0) await runTransaction(database, fill, { isRepeatable: true, maxMs: startMs })
}
