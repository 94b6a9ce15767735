import { z } from 'zod'
import type { TextSearch } from '../database/dialect.ts'
import { lockNames, runTransaction, startMs } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import exerciseFile from './exercises.json' with { type: 'json' }
import workoutFile from './workouts.json' with { type: 'json' }

const libraryName = 'Library'

const slugSchema = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)

const exerciseSchema = z.strictObject({
  /** Stable: workouts and later versions of the library refer to it. */
  slug: slugSchema,
  name: z.string().min(3),
  muscles: z.array(z.string().min(3)).min(1),
  equipment: z.string().min(3),
  level: z.enum(['easy', 'medium', 'hard']),
  instruction: z.string().min(60),
})

const workoutSchema = z.strictObject({
  slug: slugSchema,
  name: z.string().min(3),
  description: z.string().min(40),
  lines: z
    .array(
      z
        .strictObject({
          exercise: slugSchema,
          sets: z.int().min(1).max(10),
          reps: z.int().min(1).max(100).optional(),
          seconds: z.int().min(5).max(3600).optional(),
          restSeconds: z.int().min(0).max(300),
        })
        .refine(line => (line.reps === undefined) !== (line.seconds === undefined), {
          error: 'needs either reps or seconds',
        }),
    )
    .min(3),
})

type Exercise = z.output<typeof exerciseSchema>
type Workout = z.output<typeof workoutSchema>

/** Reads the library of exercises and workouts from its files. */
export function readLibrary(): {
  readonly exercises: readonly Exercise[]
  readonly workouts: readonly Workout[]
} {
  return {
    exercises: z.array(exerciseSchema).parse(exerciseFile),
    workouts: z.array(workoutSchema).parse(workoutFile),
  }
}

/**
 * Updates the library in the database from its files, in one transaction; other processes wait. Workouts of persons
 * stay as they are.
 */
export async function seedLibrary(database: Database, search: TextSearch): Promise<void> {
  const { exercises, workouts } = readLibrary()
  const fill = async (transaction: Database) => {
    await lockNames(transaction, ['content'])
    const known = new Map<string, { readonly id: number; readonly name: string }>()
    for (const exercise of exercises) {
      const id = await putExercise(transaction, search, exercise)
      known.set(exercise.slug, { id, name: exercise.name })
    }
    const exerciseOf = (slug: string) => {
      const exercise = known.get(slug)
      if (exercise) return exercise
      throw new TypeError(`A workout names the exercise ${slug}, which the library does not have.`)
    }
    for (const workout of workouts) await putWorkout(transaction, search, workout, exerciseOf)
  }
  await runTransaction(database, fill, { isRepeatable: true, maxMs: startMs })
}

async function putExercise(database: Database, search: TextSearch, exercise: Exercise): Promise<number> {
  const row = { ...exercise, muscles: JSON.stringify(exercise.muscles) }
  const { id } = await database
    .insertInto('exercises')
    .values(row)
    .onConflict(conflict => conflict.column('slug').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { name, muscles, equipment, instruction } = exercise
  const body = [...muscles, equipment, instruction].join('\n')
  await search.put(database, { kind: 'exercise', id, title: name, body })
  return id
}

async function putWorkout(
  database: Database,
  search: TextSearch,
  { slug, name, description, lines }: Workout,
  exerciseOf: (slug: string) => { readonly id: number; readonly name: string },
): Promise<void> {
  const now = new Date().toISOString()
  const { id } = await database
    .insertInto('workouts')
    .values({ slug, name, description, owner: libraryName, created_at: now, updated_at: now })
    .onConflict(conflict => conflict.column('slug').doUpdateSet({ name, description }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.deleteFrom('workout_exercises').where('workout_id', '=', id).execute()
  const rows = lines.map(({ exercise, sets, reps = null, seconds = null, restSeconds }, index) => ({
    workout_id: id,
    position: index + 1,
    exercise_id: exerciseOf(exercise).id,
    sets,
    reps,
    seconds,
    rest_seconds: restSeconds,
  }))
  await database.insertInto('workout_exercises').values(rows).execute()
  const body = [description, ...lines.map(line => exerciseOf(line.exercise).name)].join('\n')
  await search.put(database, { kind: 'workout', id, title: name, body })
}
