import { z } from 'zod'
import { givenText, missingOr } from '../text/text-field.ts'

/**
 * One user as `getlistofusers` returns it. The specification leaves its properties open ('some properties'): these are
 * known, others are kept.
 */
export const userSchema = z.looseObject({
  id: z.int({ error: missingOr('must be an integer') }).describe('Service user id'),
  customId: givenText.nullish().describe('Id of the person in the partner’s system; not unique'),
  firstname: z.string().nullish().describe('First name, or names'),
  lastname: z.string().nullish().describe('Last name'),
  email: z.string().nullish().describe('E-mail address'),
  dateOfBirth: z.string().nullish().describe('YYYY-MM-DD'),
})

/** See {@link userSchema}. */
export type User = z.output<typeof userSchema>
