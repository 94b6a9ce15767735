import * as z from 'zod/mini'
import { isObject } from '../errors/parameter-error.ts'
import { described, withFacts } from '../schema/facts.ts'
import { anyCase } from '../schema/names.ts'
import { looseObject } from '../schema/object.ts'
import { givenText, missingOr } from '../schema/text-field.ts'
import type { Exercise, ExerciseData, User, Workout } from './message-types.ts'

/** The least date of .NET, which a typed program needs in place of null, and on which programs call methods. */
const noDate = '0001-01-01T00:00:00'

/** A date of the years 0 to 9: year first or last, with words, or in milliseconds as older serializers of .NET write it; or nothing. */
const vainDate = /^\s*(000\d|\d{1,2}\D\d{1,2}\D000\d|\/Date\(-621\d{11}|$)|[a-z]\.?( \d{1,2})?,? 000\d(\s|$)/i

/** A date as the web app writes it. One that .NET writes for no date is read as null. */
const date = withFacts(
  z.nullish(
    z.pipe(
      z.string(),
      z.transform(text => (vainDate.test(text) ? null : text)),
    ),
  ),
  { classicDefault: () => noDate },
)

const text = z.nullish(z.string())
const id = z.int({ error: missingOr('must be an integer') })

/**
 * One user as `getlistofusers` returns it. The specification leaves its properties open ('some properties'): these are
 * known, others are kept.
 */
export const userSchema: z.ZodMiniType<User> = anyCase(
  looseObject({
    id: described(id, 'Service user id'),
    customId: described(z.nullish(givenText), 'Id of the person in the partner’s system; not unique'),
    firstname: described(text, 'First name, or names'),
    lastname: described(text, 'Last name'),
    email: described(text, 'E-mail address'),
    dateOfBirth: described(date, 'YYYY-MM-DD'),
  }),
)

/** How much of an exercise is done. */
export const exerciseDataSchema: z.ZodMiniType<ExerciseData> = anyCase(
  looseObject({
    key: described(text, 'Such as sets'),
    value: described(z.nullish(z.union([z.string(), z.number()])), 'Text in the classic mode'),
    unit: described(text, 'Such as s or kg'),
  }),
)

/** A flat list counts as the only one of its list, and null as an empty one. */
function readLists(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.some(isObject) ? [value] : value.map(list => list ?? [])
}

/** One exercise of a workout. */
export const exerciseSchema: z.ZodMiniType<Exercise> = anyCase(
  looseObject({
    id: described(z.nullish(z.int()), 'The web app’s own id'),
    name: described(text, 'As the web app shows it'),
    data: described(
      z.nullish(
        z.pipe(
          z.transform((value: unknown) => readLists(value) as unknown[][]),
          z.array(z.array(exerciseDataSchema)),
        ),
      ),
      'How often, how long and with which load: lists of key, value, unit',
    ),
  }),
)

const exerciseCount = withFacts(z.nullish(z.int().check(z.gte(0))), {
  classicDefault: ({ exercises }) => (Array.isArray(exercises) ? exercises.length : 0),
})

/**
 * One workout as `getworkoutsforclient` returns it. The specification leaves its fields open ('some key information'):
 * these are known, others are kept.
 */
export const workoutSchema: z.ZodMiniType<Workout> = anyCase(
  looseObject({
    id: described(id, 'To be given to openworkout'),
    name: described(text, 'As the web app shows it'),
    description: described(text, 'As the web app shows it'),
    lastChangedAt: described(date, 'ISO 8601 date and time'),
    owner: described(z.nullish(z.int()), 'Service user id of who made it'),
    executor: described(z.nullish(z.int()), 'Service user id of whom it is for'),
    ownerName: described(text, 'Name of who made it'),
    executorName: described(text, 'Name of whom it is for'),
    exerciseCount: described(exerciseCount, 'How many exercises it has'),
    exercises: described(
      z.nullish(z.array(exerciseSchema)),
      'Its exercises: id, name, data (lists of key, value, unit)',
    ),
  }),
)
