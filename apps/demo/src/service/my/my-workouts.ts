import type { Database } from '../database/tables.ts'
import { findWorkout } from '../workouts/workout-store.ts'

/** Most workouts that the list holds. */
const maxListed = 200

/** A workout that a consumer was given, in their list. */
export type MyWorkout = Awaited<ReturnType<typeof listMyWorkouts>>[number]

/** A whole workout of a consumer. */
export type MyWorkoutRecord = NonNullable<Awaited<ReturnType<typeof findMyWorkout>>>

/** Lists the workouts given to every contact with this identity number, in any organization; newest first. */
export async function listMyWorkouts(database: Database, identityNumber: string) {
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
export async function findMyWorkout(database: Database, identityNumber: string, id: number) {
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
