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

/**
 * One workout as `getworkoutsforclient` returns it. The specification leaves its fields open ('some key information'):
 * these are known, others are kept.
 */
export const workoutSchema = z.looseObject({
  id: z.int({ error: missingOr('must be an integer') }).describe('To be given to openworkout'),
  name: z.string().nullish().describe('As the web app shows it'),
  description: z.string().nullish().describe('As the web app shows it'),
  lastChangedAt: z.string().nullish().describe('ISO 8601 date and time'),
  owner: z.string().nullish().describe('Who made it'),
  executor: z.string().nullish().describe('Whom it is for'),
  exerciseCount: z.int().min(0).nullish().describe('How many exercises it has'),
  exercises: z.array(z.unknown()).nullish().describe('The exercises, in the web app’s own shape'),
})

/** See {@link workoutSchema}. */
export type Workout = z.output<typeof workoutSchema>
