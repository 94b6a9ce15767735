import { optionalText, optionalWireInteger, parseIsoDate } from '@service-link/protocol-core'
import { Hono } from 'hono'
import * as z from 'zod'
import type { TextSearch } from '../database/dialect.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database, ExerciseRow } from '../database/tables.ts'
import { ApiError, type AppEnv, addressQuery, jsonBody, readId } from '../http/api.ts'
import { listPersons } from '../persons/persons.ts'
import { findWorkout, giveWorkout, listWorkouts } from './workout-store.ts'

const isoDate = optionalText.check(
  z.refine(
    text => {
      try {
        return text === undefined || parseIsoDate(text) === text
      } catch {
        return false
      }
    },
    { error: 'must be a date, YYYY-MM-DD' },
  ),
)

const searchSchema = z.object({ text: optionalText })

const forPersonSchema = z
  .object({ customId: optionalText, userId: optionalWireInteger, from: isoDate })
  .refine(({ customId, userId }) => customId !== undefined || userId !== undefined, {
    error: 'needs customId or userId',
  })

const noGift = () => new ApiError('ERR_NOT_FOUND', 'There is no such workout or person.')

export function workoutRoutes(database: Database, search: TextSearch) {
  return new Hono<AppEnv>()
    .get('/workouts', addressQuery(searchSchema), async c => {
      const { text } = c.req.valid('query')
      const { organizationId } = c.get('employee')
      return c.json({ workouts: await listWorkouts(database, search, organizationId, { text }) })
    })
    .post('/workouts/for-person', jsonBody(forPersonSchema), async c => {
      const { organizationId } = c.get('employee')
      const { customId, userId, from } = c.req.valid('json')
      const persons = await listPersons(
        database,
        search,
        organizationId,
        userId === undefined ? { customId } : { ids: [userId] },
      )
      // An unknown CustomId is a person without workouts. An unknown user id is an error.
      if (persons.length === 0 && userId !== undefined)
        throw new ApiError('ERR_NOT_FOUND', 'There is no such person in this organization.')
      // Patients of two partners may have the same CustomId. Neither gets the other's workouts.
      if (persons.length > 1)
        throw new ApiError('ERR_AMBIGUOUS_PERSON', 'Several persons have this CustomId.')
      const personIds = persons.map(person => person.userId)
      return c.json({ workouts: await listWorkouts(database, search, organizationId, { personIds, from }) })
    })
    .get('/workouts/:id', async c => {
      const workout = await findWorkout(database, c.get('employee').organizationId, readId(c))
      if (!workout) throw new ApiError('ERR_NOT_FOUND', 'There is no such workout for this organization.')
      return c.json({ workout })
    })
    .post('/workouts/:id/give', jsonBody(z.object({ personId: z.int().positive() })), async c => {
      const { organizationId, name: owner } = c.get('employee')
      const { personId } = c.req.valid('json')
      // Not repeated, because the first commit may already have given the copy.
      const id = await runTransaction(database, transaction =>
        giveWorkout(transaction, search, { organizationId, owner, workoutId: readId(c), personId }),
      )
      if (id === undefined) throw noGift()
      const workout = await findWorkout(database, organizationId, id)
      if (!workout) throw noGift()
      return c.json({ workout }, 201)
    })
}

interface ExerciseRecord {
  readonly id: number
  readonly name: string
  readonly muscles: readonly string[]
  readonly equipment: string
  readonly level: string
  readonly instruction: string
}

const maxListedExercises = 200

/** Finds exercises by their words, best first. Without words, all of them by name. */
async function findExercises(
  database: Database,
  search: TextSearch,
  text: string,
): Promise<ExerciseRecord[]> {
  if (text.trim() === '') {
    const rows = await database
      .selectFrom('exercises')
      .selectAll()
      .orderBy('name')
      .limit(maxListedExercises)
      .execute()
    return rows.map(exerciseFromRow)
  }
  const ids = await search.find(database, 'exercise', text, maxListedExercises)
  if (ids.length === 0) return []
  const rows = await database.selectFrom('exercises').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => {
    const row = byId.get(id)
    return row ? [exerciseFromRow(row)] : []
  })
}

async function findExercise(database: Database, id: number): Promise<ExerciseRecord | undefined> {
  const row = await database.selectFrom('exercises').selectAll().where('id', '=', id).executeTakeFirst()
  return row && exerciseFromRow(row)
}

function exerciseFromRow({ id, name, muscles, equipment, level, instruction }: ExerciseRow): ExerciseRecord {
  return { id, name, muscles: JSON.parse(muscles), equipment, level, instruction }
}

export function exerciseRoutes(database: Database, search: TextSearch) {
  return new Hono<AppEnv>()
    .get('/exercises', addressQuery(searchSchema), async c => {
      const { text } = c.req.valid('query')
      return c.json({ exercises: await findExercises(database, search, text ?? '') })
    })
    .get('/exercises/:id', async c => {
      const exercise = await findExercise(database, readId(c))
      if (!exercise) throw new ApiError('ERR_NOT_FOUND', 'There is no such exercise.')
      return c.json({ exercise })
    })
}
