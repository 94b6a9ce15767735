import { z } from 'zod'
import type { TextSearch } from '../service/database/dialect.ts'
import { lockNames } from '../service/database/lock-names.ts'
import { runTransaction, startMs } from '../service/database/run-transaction.ts'
import type { Database } from '../service/database/tables.ts'
import {
  type ExerciseContent,
  exerciseContentSchema,
  type WorkoutContent,
  workoutContentSchema,
} from './content-schema.ts'
import { exerciseContent } from './exercises/index.ts'
import { workoutContent } from './workouts/index.ts'

/** Name that the library's workouts carry as their owner. */
const libraryName = 'Library'

/**
 * Brings the library in the database up to the content of this version, in one transaction, after that of another process
 * that does so. Persons' own workouts are not touched.
 *
 * @throws {z.ZodError} when the content is not as its schema wants it
 */
export async function seedContent(database: Database, search: TextSearch): Promise<void> {
  const exercises = z.array(exerciseContentSchema).parse(exerciseContent)
  const workouts = z.array(workoutContentSchema).parse(workoutContent)
  const fill = async (transaction: Database) => {
    await lockNames(transaction, ['content'])
    const ids = new Map<string, number>()
    for (const exercise of exercises) ids.set(exercise.slug, await putExercise(transaction, search, exercise))
    const names = new Map(exercises.map(({ slug, name }) => [slug, name]))
    for (const workout of workouts) await putWorkout(transaction, search, workout, { ids, names })
  }
  await runTransaction(database, fill, { isRepeatable: true, maxMs: startMs })
}

async function putExercise(
  database: Database,
  search: TextSearch,
  content: ExerciseContent,
): Promise<number> {
  const row = { ...content, muscles: JSON.stringify(content.muscles) }
  const { id } = await database
    .insertInto('exercises')
    .values(row)
    .onConflict(conflict => conflict.column('slug').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { name, muscles, equipment, instruction } = content
  const body = [...muscles, equipment, instruction].join('\n')
  await search.put(database, { kind: 'exercise', id, title: name, body })
  return id
}

interface KnownExercises {
  readonly ids: ReadonlyMap<string, number>
  readonly names: ReadonlyMap<string, string>
}

async function putWorkout(
  database: Database,
  search: TextSearch,
  { slug, name, description, lines }: WorkoutContent,
  { ids, names }: KnownExercises,
): Promise<void> {
  const now = new Date().toISOString()
  const { id } = await database
    .insertInto('workouts')
    .values({ slug, name, description, owner: libraryName, created_at: now, updated_at: now })
    .onConflict(conflict => conflict.column('slug').doUpdateSet({ name, description }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.deleteFrom('workout_exercises').where('workout_id', '=', id).execute()
  const rows = lines.map((line, index) => ({
    workout_id: id,
    position: index + 1,
    exercise_id: ids.get(line.exercise) ?? missing(slug, line.exercise),
    sets: line.sets,
    reps: line.reps ?? null,
    seconds: line.seconds ?? null,
    rest_seconds: line.restSeconds,
  }))
  await database.insertInto('workout_exercises').values(rows).execute()
  const body = [description, ...lines.map(line => names.get(line.exercise))].join('\n')
  await search.put(database, { kind: 'workout', id, title: name, body })
}

function missing(workout: string, exercise: string): never {
  throw new TypeError(
    `The workout ${workout} names the exercise ${exercise}, which the content does not have.`,
  )
}
