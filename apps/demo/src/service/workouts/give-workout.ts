import type { TextSearch } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'
import { findPerson } from '../persons/person-store.ts'
import { findWorkout } from './workout-store.ts'

/** What {@link giveWorkout} needs. */
export interface GiveWorkoutInput {
  readonly organizationId: number
  /** Name of the employee who gives it. */
  readonly owner: string
  readonly workoutId: number
  readonly personId: number
}

/**
 * Gives a person a copy of a workout, which is that person's own from then on. To be run in a transaction.
 *
 * @returns the id of the new workout; `undefined` when workout or person is not the organization's
 */
export async function giveWorkout(
  database: Database,
  search: TextSearch,
  { organizationId, owner, workoutId, personId }: GiveWorkoutInput,
): Promise<number | undefined> {
  const workout = await findWorkout(database, organizationId, workoutId)
  const person = await findPerson(database, organizationId, personId)
  if (!workout || !person) return undefined
  const now = new Date().toISOString()
  const { name, description } = workout
  const { id } = await database
    .insertInto('workouts')
    .values({
      organization_id: organizationId,
      person_id: personId,
      name,
      description,
      owner,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = workout.exercises.map((line, index) => ({
    workout_id: id,
    position: index + 1,
    exercise_id: line.exerciseId,
    sets: line.sets,
    reps: line.reps,
    seconds: line.seconds,
    rest_seconds: line.restSeconds,
  }))
  if (lines.length > 0) await database.insertInto('workout_exercises').values(lines).execute()
  await search.put(database, {
    kind: 'workout',
    id,
    title: name,
    body: [description, ...workout.exercises.map(line => line.name)].join('\n'),
  })
  return id
}
