import type { TextSearch } from '../database/dialect.ts'
import type { Database } from '../database/tables.ts'
import { findPerson } from '../persons/persons.ts'

type WorkoutSummary = ReturnType<typeof summaryFromRow>

const maxListedWorkouts = 200

interface ListWorkoutsOptions {
  /** Search words, best first; empty: the library by name. */
  readonly text?: string | undefined
  /** Only workouts of these persons, newest first. */
  readonly personIds?: readonly number[] | undefined
  /** `YYYY-MM-DD`: only workouts changed since the beginning of that day, UTC. */
  readonly from?: string | undefined
}

export async function listWorkouts(
  database: Database,
  search: TextSearch,
  organizationId: number,
  { text = '', personIds, from }: ListWorkoutsOptions,
): Promise<WorkoutSummary[]> {
  let query = visibleWorkouts(database, organizationId).limit(maxListedWorkouts)
  if (personIds !== undefined) {
    if (personIds.length === 0) return []
    query = query.where('workouts.person_id', 'in', personIds).orderBy('workouts.updated_at', 'desc')
  }
  if (from !== undefined) query = query.where('workouts.updated_at', '>', `${from}T00:00:00.000Z`)
  if (text.trim() === '') {
    if (personIds === undefined) query = query.where('workouts.person_id', 'is', null)
    const rows = await query.orderBy('workouts.name').orderBy('workouts.id').execute()
    return rows.map(summaryFromRow)
  }
  const ids = await search.find(database, 'workout', text, maxListedWorkouts * 5)
  if (ids.length === 0) return []
  const found = await query.where('workouts.id', 'in', ids).execute()
  const rank = new Map(ids.map((id, index) => [id, index]))
  return found.map(summaryFromRow).sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0))
}

export async function findWorkout(database: Database, organizationId: number, id: number) {
  const summary = await visibleWorkouts(database, organizationId)
    .where('workouts.id', '=', id)
    .executeTakeFirst()
  if (!summary) return undefined
  const exercises = await database
    .selectFrom('workout_exercises')
    .innerJoin('exercises', 'exercises.id', 'workout_exercises.exercise_id')
    .where('workout_id', '=', id)
    .orderBy('position')
    .select([
      'position',
      'exercises.id as exerciseId',
      'exercises.name',
      'exercises.equipment',
      'exercises.instruction',
      'sets',
      'reps',
      'seconds',
      'rest_seconds as restSeconds',
    ])
    .execute()
  return { ...summaryFromRow(summary), exercises }
}

function visibleWorkouts(database: Database, organizationId: number) {
  return database
    .selectFrom('workouts')
    .leftJoin('persons', 'persons.id', 'workouts.person_id')
    .where(where =>
      where.or([
        where('workouts.organization_id', 'is', null),
        where('workouts.organization_id', '=', organizationId),
      ]),
    )
    .select(({ selectFrom }) => [
      'workouts.id',
      'workouts.name',
      'workouts.description',
      'workouts.owner',
      'workouts.person_id as personId',
      'persons.firstname',
      'persons.lastname',
      'workouts.updated_at as lastChangedAt',
      selectFrom('workout_exercises')
        .whereRef('workout_exercises.workout_id', '=', 'workouts.id')
        .select(count => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('exerciseCount'),
    ])
}

type SummaryRow = Awaited<ReturnType<ReturnType<typeof visibleWorkouts>['executeTakeFirstOrThrow']>>

/** @returns `personId` and `personName` are null for a workout of the library */
function summaryFromRow({ firstname, lastname, ...row }: SummaryRow) {
  return { ...row, personName: [firstname, lastname].filter(Boolean).join(' ') || null }
}

interface GiveWorkoutInput {
  readonly organizationId: number
  readonly owner: string
  readonly workoutId: number
  readonly personId: number
}

/** Gives a person a separate copy of a workout; `undefined` if workout or person belongs to another organization. */
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
