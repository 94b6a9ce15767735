import * as z from 'zod/mini'
import { described } from '../schema/facts.ts'
import { looseObject } from '../schema/object.ts'
import { givenText, missingOr } from '../text/text-field.ts'

/**
 * One user as `getlistofusers` returns it. The specification leaves its properties open ('some properties'): these are
 * known, others are kept.
 */
export const userSchema = looseObject({
  id: described(z.int({ error: missingOr('must be an integer') }), 'Service user id'),
  customId: described(z.nullish(givenText), 'Id of the person in the partner’s system; not unique'),
  firstname: described(z.nullish(z.string()), 'First name, or names'),
  lastname: described(z.nullish(z.string()), 'Last name'),
  email: described(z.nullish(z.string()), 'E-mail address'),
  dateOfBirth: described(z.nullish(z.string()), 'YYYY-MM-DD'),
})

/** See {@link userSchema}. */
export type User = z.output<typeof userSchema>

const exerciseDataSchema = looseObject({
  key: described(z.nullish(z.string()), 'Such as sets'),
  value: described(z.nullish(z.union([z.string(), z.number()])), 'Text in the classic mode'),
  unit: described(z.nullish(z.string()), 'Such as s or kg'),
})

const exerciseSchema = looseObject({
  id: described(z.nullish(z.int()), 'The web app’s own id'),
  name: described(z.nullish(z.string()), 'As the web app shows it'),
  data: described(
    z.nullish(z.array(z.array(exerciseDataSchema))),
    'How often, how long and with which load: lists of key, value, unit',
  ),
})

/**
 * One workout as `getworkoutsforclient` returns it. The specification leaves its fields open ('some key information'):
 * these are known, others are kept.
 */
export const workoutSchema = looseObject({
  id: described(z.int({ error: missingOr('must be an integer') }), 'To be given to openworkout'),
  name: described(z.nullish(z.string()), 'As the web app shows it'),
  description: described(z.nullish(z.string()), 'As the web app shows it'),
  lastChangedAt: described(z.nullish(z.string()), 'ISO 8601 date and time'),
  owner: described(z.nullish(z.int()), 'Service user id of who made it'),
  executor: described(z.nullish(z.int()), 'Service user id of whom it is for'),
  ownerName: described(z.nullish(z.string()), 'Name of who made it'),
  executorName: described(z.nullish(z.string()), 'Name of whom it is for'),
  exerciseCount: described(z.nullish(z.int().check(z.gte(0))), 'How many exercises it has'),
  exercises: described(
    z.nullish(z.array(exerciseSchema)),
    'Its exercises: id, name, data (lists of key, value, unit)',
  ),
})

/** See {@link workoutSchema}. */
export type Workout = z.output<typeof workoutSchema>
