import type { ContactBook, ContactCandidate } from '@service-link/jwt-payload/receiver'
import type { Database, PersonRow } from '../database/tables.ts'
import { selectOrCreatePerson } from '../persons/select-person.ts'

/**
 * The persons of the account's organization, as the partner link finds and makes them: a person is there once, under the
 * CustomIds of all partners whom the identity number tells that they mean it.
 */
export function contactBook(database: Database): ContactBook {
  return {
    async put({ partnerId }, person, { accountId }) {
      const { organizationId } = await database
        .selectFrom('auth_users')
        .select('organizationId')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      const choice = await selectOrCreatePerson(database, { organizationId, partnerId }, person)
      if (choice.kind === 'choose') return { kind: 'choose', candidates: choice.rows.map(candidateOf) }
      // A partner's contact has no service user id, so it is always found or made.
      if (choice.kind === 'not-found') throw new TypeError('A contact must not carry a service user id.')
      return { kind: choice.kind, contactId: String(choice.id) }
    },
  }
}

function candidateOf({ id, firstname, lastname, date_of_birth }: PersonRow): ContactCandidate {
  return {
    contactId: String(id),
    ...(firstname === null ? {} : { firstname }),
    ...(lastname === null ? {} : { lastname }),
    ...(date_of_birth === null ? {} : { dateOfBirth: date_of_birth }),
  }
}
