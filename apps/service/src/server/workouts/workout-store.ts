import type { Language } from '@service-link/ui/language'
import { type SqlBool, sql } from 'kysely'
import { matchesOf, type TextSearch, totalRows } from '../database/dialect.ts'
import { lockNames } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import type { Page } from '../http/api.ts'
import { findPerson } from '../persons/persons.ts'
import { doneDaysOf } from './done-days.ts'
import { inAllLanguages, inLanguage, pageInLanguage } from './library-texts.ts'

interface SearchWorkoutsInput extends Page {
  readonly text?: string | undefined
  readonly language: Language
}

/** Finds workouts that the organization may see, those of the library first. Without words, only the library by name. */
export async function searchWorkouts(
  database: Database,
  search: TextSearch,
  organizationId: number,
  { text = '', language, ...page }: SearchWorkoutsInput,
) {
  const isLibrary = sql<SqlBool>`workouts.person_id is null`
  const found = visibleWorkouts(database, organizationId)
    .innerJoin(matchesOf(search, 'workout', text), 'found.id', 'workouts.id')
    .select('found.rank')
  if (text.trim() === '') {
    const rows = await found.where(isLibrary).execute()
    return { total: rows.length, workouts: pageInLanguage(language, rows.map(summaryFromRow), page) }
  }
  const rows = await found
    .select(totalRows)
    .orderBy(isLibrary, 'desc')
    .orderBy('found.rank')
    .orderBy('workouts.name')
    .orderBy('workouts.id')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  const workouts = rows.map(({ total: _, rank: _rank, ...row }) => inLanguage(language, summaryFromRow(row)))
  return { total: rows[0]?.total ?? 0, workouts }
}

/**
 * Lists all workouts of persons as programs of the wrapper read them, newest first. `from`: only those changed since the beginning
 * of that day, UTC.
 */
export async function listWorkoutsOf(
  database: Database,
  organizationId: number,
  personIds: readonly number[],
  from = '',
) {
  if (personIds.length === 0) return []
  const rows = await visibleWorkouts(database, organizationId)
    .where('workouts.person_id', 'in', personIds)
    .where('workouts.updated_at', '>', from && `${from}T00:00:00.000Z`)
    .orderBy('workouts.updated_at', 'desc')
    .orderBy('workouts.id', 'desc')
    .execute()
  const ids = rows.map(({ id }) => id)
  const lines = Map.groupBy(await linesOf(database, ids), ({ workoutId }) => workoutId)
  const doneDays = await doneDaysOf(database, ids)
  return rows.map(row => {
    const { personId, personName: _, owner, ownerNumber, ...workout } = summaryFromRow(row)
    const exercises = lines.get(workout.id) ?? []
    return {
      ...workout,
      owner: ownerNumber === null ? null : firstEmployeeId + ownerNumber,
      ownerName: owner,
      executor: personId,
      executorName: joinNames(row.firstname, row.lastname),
      doneDays: doneDays(workout.id),
      exercises: exercises.map(line => ({
        id: line.exerciseId,
        name: line.name,
        data: [exerciseData(line)],
      })),
    }
  })
}

/** Persons and employees are users of one service to a program: their ids must differ. */
const firstEmployeeId = 1_000_000_000

function exerciseData({ sets, reps, seconds, restSeconds }: WorkoutLine) {
  const facts = [
    { key: 'sets', value: sets, unit: '' },
    { key: 'reps', value: reps, unit: '' },
    { key: 'duration', value: seconds, unit: 's' },
    { key: 'rest', value: restSeconds, unit: 's' },
  ]
  return facts.flatMap(({ value, ...fact }) => (value === null ? [] : [{ ...fact, value: String(value) }]))
}

export async function findWorkout(database: Database, organizationId: number, id: number) {
  const summary = await visibleWorkouts(database, organizationId)
    .where('workouts.id', '=', id)
    .executeTakeFirst()
  if (!summary) return undefined
  const lines = await linesOf(database, [id])
  const doneDays = await doneDaysOf(database, [id])
  return {
    ...summaryFromRow(summary),
    doneDays: doneDays(id),
    exercises: lines.map(({ workoutId: _, ...line }) => line),
  }
}

type WorkoutLine = Awaited<ReturnType<typeof linesOf>>[number]

async function linesOf(database: Database, workoutIds: readonly number[]) {
  if (workoutIds.length === 0) return []
  return await database
    .selectFrom('workout_exercises')
    .innerJoin('exercises', 'exercises.id', 'workout_exercises.exercise_id')
    .where('workout_id', 'in', workoutIds)
    .orderBy('position')
    .select([
      'workout_id as workoutId',
      'position',
      'exercises.id as exerciseId',
      'exercises.slug',
      'exercises.name',
      'exercises.equipment',
      'exercises.instruction',
      'sets',
      'reps',
      'seconds',
      'rest_seconds as restSeconds',
    ])
    .execute()
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
    .where('workouts.withdrawn_at', 'is', null)
    .select(({ selectFrom }) => [
      'workouts.id',
      'workouts.name',
      'workouts.description',
      'workouts.owner',
      'workouts.owner_number as ownerNumber',
      'workouts.person_id as personId',
      'workouts.given_from as givenFrom',
      'persons.firstname',
      'persons.middlename',
      'persons.lastname',
      'workouts.updated_at as lastChangedAt',
      selectFrom('workout_exercises')
        .whereRef('workout_exercises.workout_id', '=', 'workouts.id')
        .select(sql<number>`cast(count(*) as integer)`.as('count'))
        .$asScalar()
        .$notNull()
        .as('exerciseCount'),
    ])
}

type SummaryRow = Awaited<ReturnType<ReturnType<typeof visibleWorkouts>['executeTakeFirstOrThrow']>>

/** @returns `personId` and `personName` are null for a workout of the library */
function summaryFromRow<Row extends SummaryRow>({ firstname, middlename, lastname, ...row }: Row) {
  return { ...row, personName: joinNames(firstname, middlename, lastname) }
}

const joinNames = (...names: readonly (string | null)[]) => names.filter(Boolean).join(' ') || null

interface GiveWorkoutInput {
  readonly organizationId: number
  /** Who gives it: an employee's account and name. */
  readonly owner: { readonly accountId: string; readonly name: string }
  readonly workoutId: number
  readonly personId: number
  /** Names the user's intent: repeated requests give one copy. */
  readonly key: string
  /** Whether to give a workout that the person already has. */
  readonly isAgain: boolean
}

/**
 * Gives a person a separate copy of a workout. Run it in a transaction; it can be repeated.
 *
 * @returns the copy, or the earlier copy of the same workout; `undefined` if workout or person belongs to another
 *   organization
 */
export async function giveWorkout(
  database: Database,
  search: TextSearch,
  { organizationId, owner, workoutId, personId, key, isAgain }: GiveWorkoutInput,
): Promise<{ readonly kind: 'given' | 'already-given'; readonly id: number } | undefined> {
  await lockNames(database, [
    JSON.stringify(['give', organizationId, key]),
    JSON.stringify(['give to', organizationId, personId]),
  ])
  const copies = database.selectFrom('workouts').select('id').where('organization_id', '=', organizationId)
  const sameIntent = await copies.where('give_key', '=', key).executeTakeFirst()
  if (sameIntent) return { kind: 'given', id: sameIntent.id }
  const workout = await findWorkout(database, organizationId, workoutId)
  const person = await findPerson(database, organizationId, personId)
  if (!workout || !person) return undefined
  const givenFrom = workout.givenFrom ?? workoutId
  const earlier = await copies
    .where('person_id', '=', personId)
    .where('given_from', '=', givenFrom)
    .where('withdrawn_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (earlier && !isAgain) return { kind: 'already-given', id: earlier.id }
  const now = new Date().toISOString()
  const { name, description } = workout
  const { id } = await database
    .insertInto('workouts')
    .values({
      organization_id: organizationId,
      person_id: personId,
      given_from: givenFrom,
      give_key: key,
      name,
      description,
      owner: owner.name,
      owner_number: await employeeNumber(database, owner.accountId),
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
    title: inAllLanguages(name),
    body: inAllLanguages(description, ...workout.exercises.map(line => line.name)),
  })
  return { kind: 'given', id }
}

async function employeeNumber(database: Database, accountId: string): Promise<number> {
  const row = { account_id: accountId }
  const { id } = await database
    .insertInto('employee_numbers')
    .values(row)
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** How long a gift can be undone, in milliseconds. */
const undoMs = 60 * 60 * 1000

/** Undoes a gift if the copy is recent and unchanged; can be repeated. */
export async function withdrawWorkout(
  database: Database,
  organizationId: number,
  id: number,
): Promise<'withdrawn' | 'too-late' | undefined> {
  const copy = await database
    .selectFrom('workouts')
    .select(['created_at', 'updated_at', 'withdrawn_at'])
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('give_key', 'is not', null)
    .executeTakeFirst()
  if (!copy) return undefined
  if (copy.withdrawn_at !== null) return 'withdrawn'
  const { numUpdatedRows } = await database
    .updateTable('workouts')
    .set({ withdrawn_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('updated_at', '=', copy.created_at)
    .where('created_at', '>', new Date(Date.now() - undoMs).toISOString())
    .executeTakeFirst()
  return numUpdatedRows > 0n ? 'withdrawn' : 'too-late'
}
