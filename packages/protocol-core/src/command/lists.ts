import * as z from 'zod/mini'
import { givenText, missingOr } from '../text/text-field.ts'

/**
 * One user as `getlistofusers` returns it. The specification leaves its properties open ('some properties'): these are
 * known, others are kept.
 */
export const userSchema = z.looseObject({
  id: z.int({ error: missingOr('must be an integer') }).check(z.describe('Service user id')),
  customId: z.nullish(givenText).check(z.describe('Id of the person in the partner’s system; not unique')),
  firstname: z.nullish(z.string()).check(z.describe('First name, or names')),
  lastname: z.nullish(z.string()).check(z.describe('Last name')),
  email: z.nullish(z.string()).check(z.describe('E-mail address')),
  dateOfBirth: z.nullish(z.string()).check(z.describe('YYYY-MM-DD')),
})

/** See {@link userSchema}. */
export type User = z.output<typeof userSchema>

/**
 * One workout as `getworkoutsforclient` returns it. The specification leaves its fields open ('some key information'):
 * these are known, others are kept.
 */
export const workoutSchema = z.looseObject({
  id: z.int({ error: missingOr('must be an integer') }).check(z.describe('To be given to openworkout')),
  name: z.nullish(z.string()).check(z.describe('As the web app shows it')),
  description: z.nullish(z.string()).check(z.describe('As the web app shows it')),
  lastChangedAt: z.nullish(z.string()).check(z.describe('ISO 8601 date and time')),
  owner: z.nullish(z.string()).check(z.describe('Who made it')),
  executor: z.nullish(z.string()).check(z.describe('Whom it is for')),
  exerciseCount: z.nullish(z.int().check(z.gte(0))).check(z.describe('How many exercises it has')),
  exercises: z.nullish(z.array(z.unknown())).check(z.describe('The exercises, in the web app’s own shape')),
})

/** See {@link workoutSchema}. */
export type Workout = z.output<typeof workoutSchema>
