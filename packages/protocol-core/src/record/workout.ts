import { z } from 'zod'

/** Id of a record in the service. */
const recordId = z.int()

/**
 * One workout as `getworkoutsforclient` returns it. The specification leaves its fields open ('some key information'):
 * these are known, others are kept.
 */
export const workoutSchema = z.looseObject({
  id: recordId.describe('To be given to openworkout'),
  name: z.string().optional(),
  description: z.string().optional(),
  lastChangedAt: z.string().optional().describe('ISO 8601 date and time'),
  owner: z.string().optional(),
  executor: z.string().optional(),
  exerciseCount: z.int().min(0).optional(),
  exercises: z.array(z.json()).optional(),
})

/** See {@link workoutSchema}. */
export type Workout = z.output<typeof workoutSchema>
