import type { Person } from '@service-link/protocol-core'
import { findOrCreateOrganization } from '../auth/demo-accounts.ts'
import { lockNames, runTransaction, startMs } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import { selectOrCreatePerson } from './select-person.ts'

/** Makes the missing persons of an organization in one transaction. Persons whose data an employee has changed stay as they are. */
export async function seedPersons(
  database: Database,
  organization: string,
  persons: readonly Person[],
): Promise<void> {
  const fill = async (transaction: Database) => {
    await lockNames(transaction, ['accounts'])
    const organizationId = await findOrCreateOrganization(transaction, organization)
    for (const person of persons)
      await selectOrCreatePerson(transaction, { organizationId, partnerId: undefined }, person)
  }
  if (persons.length > 0) await runTransaction(database, fill, { isRepeatable: true, maxMs: startMs })
}
