import type { Database } from '../database/tables.ts'
import { findWorkout } from '../workouts/workout-store.ts'

/** Most workouts that the list holds. */
const maxListed = 200

/** A workout that a consumer was given, in their list. */
export interface MyWorkout {
  readonly id: number
  readonly name: string
  readonly description: string
  /** Name of the employee who gave it. */
  readonly givenBy: string
  /** Name of the organization that gave it. */
  readonly organizationName: string
  /** ISO 8601. */
  readonly lastChangedAt: string
}

/** One line of {@link MyWorkoutRecord}. */
interface MyExercise {
  /** From 1. */
  readonly position: number
  readonly name: string
  readonly equipment: string
  readonly instruction: string
  readonly sets: number
  readonly reps: number | null
  readonly seconds: number | null
  readonly restSeconds: number
}

/** A whole workout of a consumer. */
export interface MyWorkoutRecord extends MyWorkout {
  readonly exercises: readonly MyExercise[]
}

/** Lists the workouts given to every contact with this identity number, in any organization; newest first. */
export async function listMyWorkouts(database: Database, identityNumber: string): Promise<MyWorkout[]> {
  const rows = await givenTo(database, identityNumber)
    .orderBy('workouts.updated_at', 'desc')
    .orderBy('workouts.id', 'desc')
    .limit(maxListed)
    .execute()
  return rows.map(({ organizationId: _, ...workout }) => workout)
}

/**
 * Finds one of a consumer's workouts with its exercises.
 *
 * @returns `undefined` also for one that was given to somebody else
 */
export async function findMyWorkout(
  database: Database,
  identityNumber: string,
  id: number,
): Promise<MyWorkoutRecord | undefined> {
  const row = await givenTo(database, identityNumber).where('workouts.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { organizationId, ...workout } = row
  const found = await findWorkout(database, organizationId, id)
  if (!found) return undefined
  return { ...workout, exercises: found.exercises.map(({ exerciseId: _, ...exercise }) => exercise) }
}

function givenTo(database: Database, identityNumber: string) {
  return database
    .selectFrom('persons')
    .innerJoin('workouts', join =>
      join
        .onRef('workouts.person_id', '=', 'persons.id')
        .onRef('workouts.organization_id', '=', 'persons.organization_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'persons.organization_id')
    .where('persons.identity_key', '=', identityNumber)
    .select([
      'workouts.id',
      'workouts.name',
      'workouts.description',
      'workouts.owner as givenBy',
      'workouts.updated_at as lastChangedAt',
      'organizations.name as organizationName',
      'persons.organization_id as organizationId',
    ])
}
