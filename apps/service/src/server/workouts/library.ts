import type { TextSearch } from '../database/dialect.ts'
import { lockNames, runTransaction, startMs } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import exercises from './exercises.json' with { type: 'json' }
import { inAllLanguages } from './library-texts.ts'
import workouts from './workouts.json' with { type: 'json' }

const libraryName = 'Library'

type Exercise = (typeof exercises)[number]

type Workout = (typeof workouts)[number]

export { exercises, workouts }

/**
 * Updates the library in the database from its files, in one transaction; other processes wait. Workouts of persons
 * stay as they are.
 */
export async function seedLibrary(database: Database, search: TextSearch): Promise<void> {
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
  const { nb: _norwegian, ...english } = exercise
  const row = { ...english, muscles: JSON.stringify(exercise.muscles) }
  const { id } = await database
    .insertInto('exercises')
    .values(row)
    .onConflict(conflict => conflict.column('slug').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { name, muscles, equipment, instruction } = exercise
  const body = inAllLanguages(...muscles, equipment, instruction)
  await search.put(database, { kind: 'exercise', id, title: inAllLanguages(name), body })
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
  const body = inAllLanguages(description, ...lines.map(line => exerciseOf(line.exercise).name))
  await search.put(database, { kind: 'workout', id, title: inAllLanguages(name), body })
}
