import { z } from 'zod'
import { missingOr } from '../text/text-field.ts'

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
