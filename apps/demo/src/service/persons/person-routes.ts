import { keepable, optionalText, personSchema, requiredText } from '@service-link/protocol-core'
import { Hono } from 'hono'
import { z } from 'zod'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction } from '../database/run-transaction.ts'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readBody, readId } from '../http/read-body.ts'
import { forgetCustomIds } from './person-identifiers.ts'
import { personFields } from './person-row.ts'
import { findPerson, listPersons, updatePerson } from './person-store.ts'
import { selectOrCreatePerson } from './select-person.ts'

const searchSchema = z.object({
  text: optionalText,
  customId: optionalText,
  ids: z.array(z.int().positive()).max(100).optional(),
})

const typedText = z
  .string()
  .refine(...keepable)
  .transform(text => text.trim() || null)
  .nullable()

const updateSchema = z.partialRecord(z.enum(personFields), typedText).superRefine((update, context) => {
  const { dateOfBirth, gender } = personSchema.shape
  for (const [field, schema] of Object.entries({ dateOfBirth, gender })) {
    const value = update[field === 'gender' ? 'gender' : 'dateOfBirth']
    if (typeof value === 'string' && !schema.safeParse(value).success)
      context.addIssue({ code: 'custom', path: [field], message: 'is not acceptable' })
  }
})

const noPerson = () => new ApiError('ERR_NOT_FOUND', 'There is no such person in this organization.')

/**
 * Persons of the signed-in employee's organization. Searches are posted, so that no name or identity number is ever part
 * of an address.
 */
export function personRoutes({ database, search }: Pick<OpenDatabase, 'database' | 'search'>) {
  return new Hono<AppEnv>()
    .post('/persons/search', async c => {
      const { organizationId } = c.get('employee')
      const filter = await readBody(c, searchSchema)
      return c.json({ persons: await listPersons(database, search, organizationId, filter) })
    })
    .post('/persons/select', async c => {
      const { organizationId } = c.get('employee')
      const sent = await readBody(c, personSchema)
      const choice = await runTransaction(
        database,
        transaction => selectOrCreatePerson(transaction, { organizationId, partnerId: undefined }, sent),
        { isRepeatable: true },
      )
      if (choice.kind === 'not-found') throw noPerson()
      if (choice.kind === 'choose')
        throw new ApiError(
          'ERR_AMBIGUOUS_PERSON',
          choice.rows.length > 1
            ? 'Several persons have this CustomId or identity number.'
            : 'The person with this CustomId or identity number has another name, date of birth or identity number.',
          { candidateIds: choice.rows.map(row => row.id) },
        )
      const person = await findPerson(database, organizationId, choice.id)
      return c.json({ status: choice.kind, person })
    })
    .get('/persons/:id', async c => {
      const person = await findPerson(database, c.get('employee').organizationId, readId(c))
      if (!person) throw noPerson()
      return c.json({ person })
    })
    .patch('/persons/:id', async c => {
      const update = await readBody(c, updateSchema)
      const person = await runTransaction(
        database,
        async transaction => {
          const updated = await updatePerson(transaction, c.get('employee').organizationId, readId(c), update)
          if (updated && update.customId !== undefined) await forgetCustomIds(transaction, updated.userId)
          return updated
        },
        { isRepeatable: true },
      )
      if (!person) throw noPerson()
      return c.json({ person })
    })
    .put('/persons/:id/custom-id', async c => {
      const { customId } = await readBody(c, z.object({ customId: requiredText }))
      const person = await runTransaction(
        database,
        transaction => updatePerson(transaction, c.get('employee').organizationId, readId(c), { customId }),
        { isRepeatable: true },
      )
      if (!person) throw noPerson()
      return c.json({ person })
    })
}
